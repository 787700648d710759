internal import Synchronization

/// The number of open connections.
final class ConnectionCount: Sendable {
    private let count = Atomic(0)
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a connection.
    ///
    /// - Returns: Whether the number is within the limit.
    func open() -> Bool {
        count.add(1, ordering: .relaxed).newValue <= limit
    }

    func close() {
        count.subtract(1, ordering: .relaxed)
    }
}
