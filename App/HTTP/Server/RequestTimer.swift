internal import Synchronization

/// The deadline for the work on a request. It is suspended while the work waits for the body, which has separate
/// deadlines for the client, and restarts in full with each piece.
final class RequestTimer: Sendable {
    private let timeout: Duration
    /// `nil` while the work waits for the body.
    private let deadline: Mutex<ContinuousClock.Instant?>

    init(_ timeout: Duration) {
        self.timeout = timeout
        deadline = Mutex(.now + timeout)
    }

    func isOver(at now: ContinuousClock.Instant) -> Bool {
        deadline.withLock { $0.map { $0 <= now } ?? false }
    }

    func stop() {
        deadline.withLock { $0 = nil }
    }

    func restart() {
        deadline.withLock { $0 = .now + timeout }
    }
}
