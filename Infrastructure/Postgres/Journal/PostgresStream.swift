#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure
internal import Synchronization

/// The position of one stream.
final class PostgresStream: Sendable {
    /// Reads commits after a position.
    typealias Reader = @Sendable (Int64, Int) async throws(PersistencyError) -> PostgresJournal.Page

    private struct State {
        var position: Int64
        /// The events read from the journal; `nil` for a position without a commit.
        var backlog: ArraySlice<(position: Int64, event: ChangeEvent?)>
        var isEnded = false

        mutating func append(_ page: PostgresJournal.Page) -> Bool {
            let end = backlog.last?.position ?? position
            if page.removed > end {
                backlog.append((page.removed, .gap(ChangeToken(lifetime: page.lifetime, position: page.removed))))
            }
            // Another reading may have appended the first events of the page.
            backlog += page.events.drop { $0.position <= max(end, page.removed) }
            return (backlog.last?.position ?? position) > end
        }
    }

    private static let pageSize = 256
    private let lifetime: UInt64
    private let feed: PostgresFeed
    private let read: Reader
    private let state: Mutex<State>

    /// - Parameter isGap: Whether the stream starts with a gap.
    init(
        after token: ChangeToken, isGap: Bool, _ feed: PostgresFeed, read: @escaping Reader
    ) {
        (lifetime, self.feed, self.read) = (token.lifetime, feed, read)
        state = Mutex(State(position: token.position, backlog: isGap ? [(token.position, .gap(token))] : []))
    }

    /// The next event; `nil` at the end of the store or of its lifetime, or if the task is cancelled.
    func next() async -> ChangeEvent? {
        while !Task.isCancelled {
            let version = feed.version
            if let event = state.withLock({ buffered(&$0) }) { return event }
            // While the server is unavailable, the stream waits.
            if await load() { continue }
            if feed.isClosed || state.withLock(\.isEnded) { return state.withLock { buffered(&$0) } }
            await feed.wait(after: version)
        }
        return nil
    }

    /// Reads the commits that the stream may be behind, before the store is closed.
    func fill(upTo limit: Int) async {
        while state.withLock({ $0.backlog.count < limit }), await load() {}
    }

    /// Returns whether it has read any commit or gap.
    private func load() async -> Bool {
        if feed.isClosed || state.withLock(\.isEnded) { return false }
        let end = state.withLock { $0.backlog.last?.position ?? $0.position }
        guard let page = try? await read(end, Self.pageSize) else {
            feed.noteFailure()
            return false
        }
        return state.withLock { state in
            state.isEnded = page.lifetime != lifetime
            return state.isEnded ? false : state.append(page)
        }
    }

    private func buffered(_ state: inout State) -> ChangeEvent? {
        while let next = state.backlog.popFirst() {
            state.position = next.position
            if let event = next.event { return event }
        }
        return nil
    }
}
#endif
