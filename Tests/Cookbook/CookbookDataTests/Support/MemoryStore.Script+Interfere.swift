import LarderInfrastructure
import Synchronization
import Testing

extension MemoryStore.Script {
    /// Simulates a faster writer: runs an action before each of the next commits, except the action's own commits.
    func interfere(times: Int = 1, _ act: @escaping @Sendable () async throws -> Void) {
        let state = Mutex((left: times, isActing: false))
        beforeCommit { _ in
            let isTurn = state.withLock { state in
                guard state.left > 0, !state.isActing else { return false }
                state = (state.left - 1, true)
                return true
            }
            guard isTurn else { return }
            do {
                try await act()
            } catch {
                Issue.record("the interference failed: \(error)")
            }
            state.withLock { $0.isActing = false }
        }
    }
}
