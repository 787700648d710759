public import LarderDomain
private import Synchronization

/// Publishes the commits of a store to all observers, in order, and never waits for an observer.
///
/// Each observer has a bounded buffer of the latest commits. Commits that are no longer in it are read from the store's
/// journal; without a journal, or if the journal has dropped them, the observer gets a gap instead.
public final class ChangeHub: Sendable {
    /// Reads up to a number of retained commits after a position, in order; `nil` if they cannot be read.
    public typealias JournalReader = @Sendable (_ position: Int64, _ limit: Int) async -> [CommittedChanges]?

    private struct State {
        var observers: [WeakObserver] = []
        var position: Int64
        var isClosed = false

        /// - Returns: The remaining observers.
        @discardableResult mutating func removeGone() -> [ChangeObserver] {
            let remaining = observers.compactMap(\.observer)
            if remaining.count < observers.count { observers = remaining.map(WeakObserver.init) }
            return remaining
        }
    }

    /// Identifies this lifetime of the store in `ChangeToken`s.
    public let lifetime: UInt64
    private let state: Mutex<State>
    private let buffer: Int

    /// - Parameters:
    ///   - buffer: The number of commits that an observer may be behind before they are read from the journal.
    ///   - lifetime: The recorded lifetime of the store, if it has a journal [hub.2]; random for a store without one.
    ///   - position: The position of the last commit.
    public init(buffer: Int, lifetime: UInt64 = .random(in: .min ... .max), position: Int64 = 0) {
        (self.lifetime, self.buffer) = (lifetime, buffer)
        state = Mutex(State(position: position))
    }

    /// The token of a position.
    public func token(at position: Int64) -> ChangeToken { ChangeToken(lifetime: lifetime, position: position) }

    /// The position of the last published commit.
    public var position: Int64 { state.withLock(\.position) }

    /// Whether anybody follows the commits.
    package var hasObservers: Bool { state.withLock { $0.observers.contains { $0.observer != nil } } }

    /// The commits after a position; the stream ends immediately if the hub is closed.
    ///
    /// - Parameters:
    ///   - token: The commit after which the stream starts; `nil` for the last one. After a token of another lifetime
    ///     or of a later commit, the stream starts with a gap.
    ///   - journal: Reads the store's journal, if it has one.
    public func subscribe(
        after token: ChangeToken?, journal: JournalReader? = nil
    ) -> AsyncStream<ChangeEvent> {
        let observer = state.withLock { state in
            let isKnown = token.map { $0.lifetime == lifetime && $0.position <= state.position } ?? true
            let start = isKnown ? token?.position ?? state.position : nil
            let observer = ChangeObserver(
                lifetime: lifetime, limit: buffer, after: start, newest: state.position, isEnded: state.isClosed)
            state.removeGone()
            state.observers.append(WeakObserver(observer))
            return observer
        }
        return AsyncStream {
            await observer.next(journal)
        } onCancel: {
            observer.end()
        }
    }

    /// Publishes a commit. Callers publish in commit order [hub.1]: under the lock that orders the commits.
    ///
    /// - Complexity: O(1) for each observer.
    public func publish(_ commit: CommittedChanges) {
        audience(upTo: commit.token.position).hear(commit)
    }

    /// Publishes the commit of a change set.
    public func publish(_ changes: ChangeSet, at token: ChangeToken) {
        publish(CommittedChanges(token: token, of: changes))
    }

    /// The current observers, for publishing commits up to a position later. Later observers can already read them.
    package func audience(upTo position: Int64) -> Audience {
        state.withLock { state in
            state.position = position
            return Audience(observers: state.removeGone())
        }
    }

    /// Publishes that the commits up to a position can be read, without their content.
    package func advance(to position: Int64) {
        for observer in audience(upTo: position).observers { observer.hear(upTo: position, nil) }
    }

    /// A snapshot of the observers.
    package struct Audience: Sendable {
        fileprivate let observers: [ChangeObserver]

        package func hear(_ commit: CommittedChanges) {
            for observer in observers { observer.hear(upTo: commit.token.position, commit) }
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
