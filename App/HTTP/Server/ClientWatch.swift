private import Synchronization

/// Tells the requests of a connection that the client has disconnected.
final class ClientWatch: Sendable {
    private struct State {
        var hasLeft = false
        var nextID = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    /// The watch of the connection whose request the task handles; `nil` without a connection, as in a test.
    @TaskLocal static var current: ClientWatch?

    private let state = Mutex(State())

    /// Runs an action when the client disconnects, at once if it already has, unless ``remove(_:)`` comes first.
    func add(_ action: @escaping @Sendable () -> Void) -> Int {
        let (id, hasLeft) = state.withLock { state in
            state.nextID += 1
            if !state.hasLeft { state.actions[state.nextID] = action }
            return (state.nextID, state.hasLeft)
        }
        if hasLeft { action() }
        return id
    }

    func remove(_ id: Int) {
        state.withLock { $0.actions[id] = nil }
    }

    /// The client has disconnected.
    func leave() {
        let actions = state.withLock { state in
            defer { state.actions = [:] }
            state.hasLeft = true
            return state.actions.values
        }
        for action in actions { action() }
    }
}
