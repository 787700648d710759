import Dispatch
import LarderDomain
import Synchronization

@testable import LarderInfrastructure

/// An error of a body.
struct OwnError: Error, Equatable {}

/// A gate that a body on a store's thread waits for.
final class BodyGate: Sendable {
    private let state = Mutex(false)
    private let semaphore = DispatchSemaphore(value: 0)

    var isOpen: Bool { state.withLock { $0 } }

    func open() {
        state.withLock { $0 = true }
        semaphore.signal()
    }

    func wait() { semaphore.wait() }
}

/// The error that an action throws, if it is of persistence.
func persistencyError<Result>(_ work: () async throws -> Result) async -> PersistencyError? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error as? PersistencyError
    }
}

extension SQLiteStore {
    /// Whether no connection has an open transaction.
    nonisolated func isIdle() throws -> Bool {
        var isIdle = true
        try pool?.read { connection throws(PersistencyError) in isIdle = !connection.isInTransaction }
        try writer?.read { connection throws(PersistencyError) in
            isIdle = isIdle && !connection.isInTransaction
        }
        return isIdle
    }
}
