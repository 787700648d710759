import Synchronization

/// What one side of a test has done, for another to wait for.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }

    /// Returns when it is set.
    ///
    /// - Throws: `NeverSo` when it is not set in time, and an error when the task is cancelled.
    func wait() async throws { try await until { isSet } }
}
