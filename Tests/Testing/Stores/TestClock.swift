public import LarderDomain
internal import Synchronization

/// A clock that a test advances.
public final class TestClock: Sendable {
    private let microseconds = Mutex<Int64>(1_795_000_000_000_000)

    /// Starts on 18 November 2026.
    public init() {}

    /// The present time, for a use case's `now`.
    public var now: Timestamp { Timestamp(microseconds: microseconds.withLock(\.self)) }

    /// Advances the clock.
    public func advance(days: Int64) { microseconds.withLock { $0 += days * 86_400_000_000 } }
}

/// Ids that count up, so that they are the same in each run.
public final class CountingIDs: IDGenerator {
    private let last = Mutex<UInt64>(0)

    /// Starts with 1.
    public init() {}

    /// The number of ids so far.
    public var count: Int { Int(last.withLock(\.self)) }

    public func next() -> RawID {
        let number = last.withLock { last in
            last += 1
            return last
        }
        return RawID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 + number)
    }
}
