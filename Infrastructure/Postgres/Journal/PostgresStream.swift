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
        /// Commits after the position that precede the stream.
        var skipped: Set<Int64>
        /// What was read from the journal; `nil` for a gap.
        var backlog: ArraySlice<(position: Int64, commit: CommittedChanges?)>
        var isEnded = false

        mutating func append(_ page: PostgresJournal.Page) -> Bool {
            let end = backlog.last?.position ?? position
            if page.removed > end { backlog.append((page.removed, nil)) }
            // Another reading may have appended the first commits of the page.
            backlog += page.commits.drop { $0.position <= max(end, page.removed) }
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
        _ lifetime: UInt64, after position: Int64, skipping: Set<Int64>, isGap: Bool, _ feed: PostgresFeed,
        read: @escaping Reader
    ) {
        (self.lifetime, self.feed, self.read) = (lifetime, feed, read)
        state = Mutex(State(position: position, skipped: skipping, backlog: isGap ? [(position, nil)] : []))
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
        guard let page = try? await read(end, Self.pageSize) else { return false }
        return state.withLock { state in
            state.isEnded = page.lifetime != lifetime
            return state.isEnded ? false : state.append(page)
        }
    }

    private func buffered(_ state: inout State) -> ChangeEvent? {
        while let next = state.backlog.popFirst() {
            state.position = next.position
            if state.skipped.remove(next.position) != nil { continue }
            return next.commit.map(ChangeEvent.commit) ?? .gap(ChangeToken(lifetime: lifetime, position: next.position))
        }
        return nil
    }
}
#endif
