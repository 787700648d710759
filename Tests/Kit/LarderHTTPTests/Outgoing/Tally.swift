import Synchronization

/// A number that the tasks of a test increment and decrement, and its maximum.
final class Tally: Sendable {
    private let state = Mutex((now: 0, most: 0))

    var now: Int { state.withLock { $0.now } }
    var most: Int { state.withLock { $0.most } }

    func add(_ number: Int) {
        state.withLock { state in
            state.now += number
            state.most = max(state.most, state.now)
        }
    }
}
