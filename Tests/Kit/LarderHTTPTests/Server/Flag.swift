import Synchronization

/// A flag that one task of a test sets and another waits for.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }

    /// Returns when the flag is set.
    ///
    /// - Throws: `NeverSo` if it is not set in time; an error if the task is cancelled.
    func wait() async throws { try await until { isSet } }
}
