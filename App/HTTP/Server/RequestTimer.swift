internal import Synchronization

/// Says when a request has been worked on for too long. While the work waits for more of the body the time is the
/// client's, which has deadlines of its own; with each piece the work gets its whole time anew.
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
