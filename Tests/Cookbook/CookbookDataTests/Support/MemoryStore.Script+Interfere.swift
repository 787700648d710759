import LarderInfrastructure
import Synchronization
import Testing

extension MemoryStore.Script {
    /// Lets somebody else be faster: does something before each of the next commits, its own commits left alone.
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
