import LarderDomain
import Synchronization

/// A clock that goes on when a test says so.
final class TestClock: Sendable {
    private let microseconds = Mutex<Int64>(1_795_000_000_000_000)

    var now: Timestamp { Timestamp(microseconds: microseconds.withLock(\.self)) }

    func advance(days: Int64) { microseconds.withLock { $0 += days * 86_400_000_000 } }
}
