/// All results of a query, in its order, read page by page as they are requested.
///
/// ```swift
/// for try await loan in loans.stream(Query(#Predicate { $0.returned == nil })) { try await remind(loan.entity) }
/// ```
///
/// One page is in memory [stream.1], and no read remains open between pages, so the stream is not a snapshot. An entity that is
/// created, deleted or changed meanwhile may be missing or included [stream.2], and twice if the value of a sort key
/// increases. Each iteration reads the query again [stream.3].
public struct QueryStream<E: Entity>: AsyncSequence, Sendable {
    /// The maximum number of entities in a page, and its size in bytes; see ``Query/byteLimit``.
    private static var pageLimits: (entities: Int, bytes: Int) { (1_000, 1 << 20) }

    private let manager: any PersistencyManager
    private let query: Query<E>

    init(_ manager: any PersistencyManager, _ query: Query<E>) {
        var query = query
        query.includesTotal = false
        (self.manager, self.query) = (manager, query)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(manager: manager, query: query) }

    /// Reads the next page when the last one has been consumed.
    public struct Iterator: AsyncIteratorProtocol {
        private let manager: any PersistencyManager
        /// The query of the rest; `nil` after the last page.
        private var query: Query<E>?
        @usableFromInline var page: [Stored<E>] = []
        /// The number of elements of the page that were returned.
        @usableFromInline var position = 0

        fileprivate init(manager: any PersistencyManager, query: Query<E>) {
            (self.manager, self.query) = (manager, query)
        }

        /// The next result; `nil` after the last one.
        ///
        /// Inlinable, so that the elements of a page are returned by code for their type.
        ///
        /// - Throws: As ``PersistencyManager/read(_:)-(Query<E>)`` [stream.4]; the stream then ends.
        @inlinable public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PersistencyError) -> Stored<E>? {
            if position == page.count {
                try await turn(isolation: actor)
                if page.isEmpty { return nil }
            }
            defer { position += 1 }
            return page[position]
        }

        /// Reads the next page that is not empty; an empty one after the last.
        @usableFromInline
        mutating func turn(isolation actor: isolated (any Actor)?) async throws(PersistencyError) {
            (page, position) = ([], 0)
            while page.isEmpty, var rest = query {
                query = nil
                if rest.before != nil { throw .unsupportedQuery("a stream of the entities before a cursor") }
                let (limit, bytes) = (rest.limit, QueryStream.pageLimits.bytes)
                rest.limit = Swift.min(limit ?? .max, QueryStream.pageLimits.entities)
                rest.byteLimit = Swift.min(rest.byteLimit ?? .max, bytes)
                let found = try await manager.read(rest)
                page = found.items
                rest.limit = limit.map { $0 - found.items.count }
                rest.after = found.next
                if found.next != nil, rest.limit ?? .max > 0 { query = rest }
            }
        }
    }
}

extension PersistencyManager {
    /// All results of a query, in bounded memory. ``Query/limit`` bounds their number [stream.5], and ``Query/after`` is the
    /// position before the first [stream.6]. In a transaction, it includes the pending changes [stream.7].
    public func stream<E: Entity>(_ query: Query<E> = Query()) -> QueryStream<E> { QueryStream(self, query) }
}

extension EntityRepository {
    /// See ``PersistencyManager/stream(_:)``.
    public func stream(_ query: Query<Model> = Query()) -> QueryStream<Model> { manager.stream(query) }
}
