#if Postgres
internal import LarderData
internal import LarderDomain
internal import Synchronization

/// The position of one stream.
final class PostgresStream: Sendable {
    private struct State {
        /// `nil` until the start is known.
        var position: Int64?
        /// The next events.
        var backlog: ArraySlice<PostgresJournal.Event> = []
        /// Whether the store was replaced.
        var isOver = false
    }

    private let store: PostgresStore
    /// Without one, the start must be known when the stream is made.
    private let token: ChangeToken?
    private let state = Mutex(State())
    private var feed: PostgresFeed { store.feed }

    init(_ store: PostgresStore, after token: ChangeToken?) { (self.store, self.token) = (store, token) }

    /// Finds the start. If the server is unavailable, which is not the end of a stream, it tries again when it is read.
    ///
    /// - Parameter isLate: Whether this is such an attempt: then commits since the stream was made may precede the start.
    func begin(isLate: Bool = false) async {
        guard let (start, isGap) = try? await store.start(after: token) else { return feed.noteFailure() }
        state.withLock { state in
            state.isOver = start.lifetime != store.lifetime
            state.position = start.position
            if isGap || isLate && token == nil { state.backlog = [.init(position: start.position, event: .gap(start))] }
        }
    }

    /// The next event; `nil` at the end of the store or of its lifetime, or if the task is cancelled.
    func next() async -> ChangeEvent? {
        while !Task.isCancelled {
            let version = feed.version
            if let event = state.withLock({ buffered(&$0) }) { return event }
            // While the server is unavailable, the stream waits.
            if await load() { continue }
            if feed.hasEnded || state.withLock(\.isOver) { return state.withLock { buffered(&$0) } }
            await feed.wait(after: version)
        }
        return nil
    }

    /// Reads the commits that the stream may be behind, before the store is closed.
    func fill(upTo limit: Int) async {
        while state.withLock({ $0.backlog.count < limit }), await load() {}
    }

    /// Returns whether there are further events.
    private func load() async -> Bool {
        if state.withLock({ $0.position == nil }) {
            await begin(isLate: true)
            return state.withLock { $0.position != nil && !$0.isOver }
        }
        let end = state.withLock { $0.backlog.last?.position ?? $0.position ?? 0 }
        switch feed.next(after: end) {
        case .nothing: return false
        case .events(let events): return append(events)
        case .behind:
            guard !feed.hasEnded, let page = await feed.page(after: end) else { return false }
            if page.lifetime != store.lifetime {
                state.withLock { $0.isOver = true }
                return false
            }
            return append(page.all(after: end))
        }
    }

    private func append(_ events: some Sequence<PostgresJournal.Event>) -> Bool {
        state.withLock { state in
            // Another call may have appended the first events.
            let (end, count) = (state.backlog.last?.position ?? state.position ?? 0, state.backlog.count)
            state.backlog += events.drop { $0.position <= end }
            return state.backlog.count > count
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
