private import Synchronization

/// Publishes the commits of a store without a journal to all observers, in order, and never waits for an observer.
///
/// Each observer has a bounded buffer. When it is full, the oldest commit is replaced by ``StoreChange/gap``.
public final class ChangeHub: Sendable {
    private struct State {
        var observers: [WeakObserver] = []
        var position: Int64
        var isClosed = false
    }

    /// Identifies this lifetime of the store in ``StoreToken``s.
    public let lifetime = UInt64.random(in: .min ... .max)
    private let state: Mutex<State>
    private let buffer: Int

    /// - Parameters:
    ///   - buffer: The number of commits that an observer may be behind before it loses the oldest.
    ///   - position: The position of the last commit.
    public init(buffer: Int, position: Int64 = 0) {
        self.buffer = buffer
        state = Mutex(State(position: position))
    }

    /// The token of a position.
    public func token(at position: Int64) -> StoreToken { StoreToken(lifetime: lifetime, position: position) }

    /// The commits published from now on; the stream ends immediately if the hub is closed.
    ///
    /// - Parameter token: The commit after which the stream starts. If it is not the last one, the stream starts with a
    ///   gap, because the hub retains nothing.
    public func subscribe(after token: StoreToken?) -> AsyncStream<StoreChange> {
        let observer = state.withLock { state in
            let isMissing = token.map { $0 != self.token(at: state.position) } ?? false
            let observer = ChangeObserver(limit: buffer, hasGap: isMissing, isEnded: state.isClosed)
            state.observers.append(WeakObserver(observer))
            return observer
        }
        return AsyncStream {
            await observer.next()
        } onCancel: {
            observer.end()
        }
    }

    /// Publishes the commit of a change set. Callers publish in commit order: under the lock that orders the commits.
    ///
    /// - Complexity: O(*n*) for *n* roots, or O(1) without observers.
    public func publish(_ changes: ChangeSet, at token: StoreToken) {
        audience(upTo: token.position).hear(changes, at: token)
    }

    /// The current observers, for publishing commits up to a position later. Later observers can already read them.
    package func audience(upTo position: Int64) -> Audience {
        state.withLock { state in
            state.position = position
            let observers = state.observers.compactMap(\.observer)
            if observers.count < state.observers.count { state.observers = observers.map(WeakObserver.init) }
            return Audience(observers: observers)
        }
    }

    /// A snapshot of the observers.
    package struct Audience: Sendable {
        fileprivate let observers: [ChangeObserver]

        package func hear(_ changes: ChangeSet, at token: StoreToken) {
            if observers.isEmpty { return }
            let committed = CommittedChanges(token: token, of: changes)
            for observer in observers { observer.hear(committed) }
        }
    }

    /// Ends every stream, each after the commits in its buffer.
    public func close() {
        let observers = state.withLock { state in
            state.isClosed = true
            defer { state.observers = [] }
            return state.observers.compactMap(\.observer)
        }
        for observer in observers { observer.finish() }
    }
}

private struct WeakObserver: Sendable {
    weak let observer: ChangeObserver?

    init(_ observer: ChangeObserver) {
        self.observer = observer
    }
}

/// The buffer of one stream. The stream owns it; the hub does not.
private final class ChangeObserver: Sendable {
    private struct State {
        /// In commit order.
        var commits: ArraySlice<CommittedChanges> = []
        /// Whether commits before the first one in the buffer were dropped.
        var hasGap: Bool
        var isEnded: Bool
        /// The waiting reader, if the buffer is empty.
        var reader: CheckedContinuation<StoreChange?, Never>?

        mutating func take() -> StoreChange? {
            if hasGap {
                hasGap = false
                return .gap
            }
            return commits.popFirst().map(StoreChange.commit)
        }
    }

    private let limit: Int
    private let state: Mutex<State>

    init(limit: Int, hasGap: Bool, isEnded: Bool) {
        self.limit = limit
        state = Mutex(State(hasGap: hasGap, isEnded: isEnded))
    }

    func hear(_ changes: CommittedChanges) {
        let reader = state.withLock { state in
            if state.isEnded { return CheckedContinuation<StoreChange?, Never>?.none }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            state.commits.append(changes)
            if state.commits.count > limit {
                state.commits.removeFirst()
                state.hasGap = true
            }
            return nil
        }
        reader?.resume(returning: .commit(changes))
    }

    func next() async -> StoreChange? {
        await withCheckedContinuation { continuation in
            let found: StoreChange?? = state.withLock { state in
                if let next = state.take() { return next }
                if state.isEnded || Task.isCancelled { return .some(nil) }
                state.reader = continuation
                return nil
            }
            if let found { continuation.resume(returning: found) }
        }
    }

    /// Ends the stream after the commits in the buffer.
    func finish() {
        let reader = state.withLock { state in
            state.isEnded = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// Ends the stream immediately, because its reader was cancelled.
    func end() {
        state.withLock { state in
            state.commits = []
            state.hasGap = false
        }
        finish()
    }
}
