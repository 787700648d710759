/// What a test waited for and did not come.
struct NeverSo: Error {}

/// Waits until something is so, for a minute at least; tries are counted, since this test may itself wait long for its turn.
///
/// - Throws: ``NeverSo``.
func until(_ isSo: () -> Bool) async throws {
    for _ in 0..<60_000 {
        if isSo() { return }
        try await Task.sleep(for: .milliseconds(1))
    }
    throw NeverSo()
}
