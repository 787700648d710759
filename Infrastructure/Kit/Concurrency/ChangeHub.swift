internal import LarderData
private import Synchronization

/// Hands each commit to everyone who observes a store, in order, and waits for nobody.
final class ChangeHub: Sendable {
    private struct State {
        var observers: [Int: AsyncStream<CommittedChanges>.Continuation] = [:]
        var lastObserver = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let buffer: Int

    /// - Parameter buffer: How many commits an observer may fall behind before it loses the oldest.
    init(buffer: Int) {
        self.buffer = buffer
    }

    /// The commits published from now on; at its end at once if the hub is closed.
    func subscribe() -> AsyncStream<CommittedChanges> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: CommittedChanges.self, bufferingPolicy: .bufferingNewest(buffer))
        let observer: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastObserver += 1
            state.observers[state.lastObserver] = continuation
            return state.lastObserver
        }
        guard let observer else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in _ = state.observers.removeValue(forKey: observer) }
        }
        return stream
    }

    /// Hands a commit out. Callers publish in the order of commits, so from under the lock that orders them.
    func publish(_ changes: CommittedChanges) {
        audience().hear(changes)
    }

    /// Those who observe now, to tell them later of what happens now. Whoever comes in between has read it already.
    func audience() -> Audience { Audience(observers: state.withLock { Array($0.observers.values) }) }

    struct Audience: Sendable {
        fileprivate let observers: [AsyncStream<CommittedChanges>.Continuation]

        func hear(_ changes: CommittedChanges) {
            for observer in observers { observer.yield(changes) }
        }
    }

    /// Ends every stream.
    func close() {
        let observers = state.withLock { state in
            state.isClosed = true
            defer { state.observers = [:] }
            return Array(state.observers.values)
        }
        for observer in observers { observer.finish() }
    }
}
