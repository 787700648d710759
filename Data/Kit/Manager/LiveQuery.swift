internal import LarderDomain

/// The pages of a query: read once, and again after each commit that can change the page.
struct LiveQuery<E: Entity>: AsyncSequence, Sendable {
    /// The pause after reading a page, as a multiple of the time that it took: reading costs at most a part of one core.
    private static var pause: Int { 32 }
    private static var longestPause: Duration { .seconds(1) }
    /// A commit of more entities is not examined; the page is read again.
    private static var examined: Int { 64 }

    let store: any Store
    let mapper: MapperBox<E>
    /// The query's request, from which cursors are made.
    let request: ReadRequest
    /// The end of the previous page.
    let previous: Cursor?
    /// Whether the condition and the order need words, which only a complete read includes.
    let isSearch: Bool
    /// The names of the schemas of other roots in the condition.
    let related: Set<String>

    func makeAsyncIterator() -> Iterator { Iterator(query: self) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let query: LiveQuery
        private var events: AsyncStream<ChangeEvent>.Iterator?
        private var page: LivePage?
        private var nextRead = ContinuousClock.now
        /// The time that a read takes: it rises at most to the double with each read, because one read may be held up.
        private var readTime = Duration.milliseconds(1)
        private var isOver = false

        fileprivate init(query: LiveQuery) {
            self.query = query
        }

        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PersistencyError) -> QueryPage<E>? {
            guard !isOver, !Task.isCancelled else { return nil }
            do throws(PersistencyError) {
                if let page = try await nextPage(isolation: actor) { return page }
            } catch {
                isOver = true
                if Task.isCancelled { return nil }
                throw error
            }
            isOver = true
            return nil
        }

        private mutating func nextPage(
            isolation actor: isolated (any Actor)?
        ) async throws(PersistencyError) -> QueryPage<E>? {
            while true {
                if let page {
                    guard try await hearChange(of: page, isolation: actor) else { return nil }
                    guard (try? await Task.sleep(until: nextRead, clock: .continuous)) != nil else { return nil }
                }
                // A new stream starts after the commits that the page will include. Those before need no examination.
                events = await query.store.changes(after: nil).makeAsyncIterator()
                let start = ContinuousClock.now
                let found = try await query.page()
                readTime = Swift.min(ContinuousClock.now - start, readTime * 2)
                nextRead = .now + Swift.min(readTime * LiveQuery.pause, LiveQuery.longestPause)
                let isNew = page.map { !$0.isShown(as: found) } ?? true
                page = found
                if isNew { return try await query.queryPage(found) }
            }
        }

        /// Waits for a commit that can change the page, or for the end of the stream, after which the page is read again;
        /// `false` if the store is closed or the task is cancelled.
        private mutating func hearChange(
            of page: LivePage, isolation actor: isolated (any Actor)?
        ) async throws(PersistencyError) -> Bool {
            while let event = await events?.next(isolation: actor) {
                if try await query.canChange(page, event) { return true }
            }
            return Task.isCancelled ? false : try await query.store.isOpen()
        }
    }
}

extension LiveQuery {
    fileprivate func page() async throws(PersistencyError) -> LivePage {
        var wider = request
        wider.limit = request.limit.map { $0 == .max ? .max : $0 + 1 }
        let found = try await read(wider)
        return LivePage(found, limit: request.limit)
    }

    fileprivate func queryPage(_ page: LivePage) async throws(PersistencyError) -> QueryPage<E> {
        let isCut = page.following != nil
        let next = isCut ? page.roots.last.map { Cursor(Place(of: $0, in: request.order), in: request) } : nil
        return QueryPage(
            items: try await mapper.stored(from: page.roots), previous: previous, next: next, total: page.total)
    }

    /// Whether an event may concern a commit that the page does not include, and that changes it.
    fileprivate func canChange(_ page: LivePage, _ event: ChangeEvent) async throws(PersistencyError) -> Bool {
        guard case .commit(let commit) = event else { return true }
        if !related.isEmpty {
            let schemas = related.union([request.schema.name])
            return commit.entries.contains { schemas.contains($0.reference.entity) }
                || !commit.staleEntities.isDisjoint(with: schemas)
        }
        if commit.staleEntities.contains(request.schema.name) { return true }
        var others: [RawID] = []
        for entry in commit.entries where entry.reference.entity == request.schema.name {
            if let version = page.versions[entry.reference.id] {
                if entry.kind == .deleted || entry.version != version { return true }
                continue
            }
            // The total may have included the root before the commit.
            if request.includesTotal, entry.kind != .inserted { return true }
            if entry.kind != .deleted { others.append(entry.reference.id) }
        }
        if others.isEmpty { return false }
        guard others.count <= Self.examined else { return true }
        return try await roots(others).contains { root in
            guard request.condition.holds(for: root) else { return false }
            return request.includesTotal || isOnPage(root, page)
        }
    }

    /// Whether a matching root that is not on the page belongs there.
    private func isOnPage(_ root: StorageObject, _ page: LivePage) -> Bool {
        let place = Place(of: root, in: request.order)
        if let after = request.after, !request.precedes(after, place) { return false }
        guard let following = page.following else { return true }
        return request.precedes(place, Place(of: following, in: request.order))
    }

    private func roots(_ ids: [RawID]) async throws(PersistencyError) -> [StorageObject] {
        let found = Found<[StorageObject]>([])
        if isSearch {
            return try await read(ReadRequest(request.schema, where: .isIn(.id, Set(ids.map(Value.id))))).items
        }
        try await store.withRows(ids, of: request.schema) { (rows) throws(PersistencyError) in
            while try rows.next() { found.value.append(try rows.storageObject()) }
        }
        return found.value
    }

    private func read(_ request: ReadRequest) async throws(PersistencyError) -> ReadResult<StorageObject> {
        var request = try await store.answerable(request)
        request.content = isSearch ? .complete : .rows
        let found = Found<[StorageObject]>([])
        let end = try await store.withRows(request) { (rows) throws(PersistencyError) in
            while try rows.next() { found.value.append(try rows.storageObject()) }
        }
        return ReadResult(items: found.value, next: end.next, total: end.total)
    }
}

/// The last page of a live query.
private struct LivePage {
    let roots: [StorageObject]
    /// The root after the page. As long as it remains, the page has a next page.
    let following: StorageObject?
    let total: Int?
    /// The versions of these roots.
    let versions: [RawID: Int64]

    /// - Parameter found: The page and, with a limit, one more root.
    init(_ found: ReadResult<StorageObject>, limit: Int?) {
        roots = Array(found.items.prefix(limit ?? .max))
        following = roots.count < found.items.count ? found.items.last : nil
        total = found.total
        versions = Dictionary(found.items.map { ($0.id, $0.version) }) { $1 }
    }

    /// Whether the pages are equal for a reader.
    func isShown(as other: LivePage) -> Bool {
        roots == other.roots && (following == nil) == (other.following == nil) && total == other.total
    }
}
