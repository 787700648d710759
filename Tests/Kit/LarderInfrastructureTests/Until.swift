/// A condition that a test awaited and that never became true.
struct NeverSo: Error {}

/// Waits for a condition, at least a minute. It counts attempts, because this test may itself wait long for its turn.
///
/// - Throws: ``NeverSo``.
func until(_ isSo: () -> Bool) async throws {
    for _ in 0..<60_000 {
        if isSo() { return }
        try await Task.sleep(for: .milliseconds(1))
    }
    throw NeverSo()
}
