private import Synchronization

/// Generates UUIDs of version 7 (RFC 9562, section 5.7): 48 bits of Unix time in milliseconds, a counter, random bits.
///
/// The ids of one generator strictly increase, even within one millisecond and when the clock is set back: the 12 bits
/// after the version are a counter (section 6.2, method 1) that overflows into the time.
public final class UUIDv7Generator: IDGenerator {
    private let now: @Sendable () -> Timestamp
    private let random: @Sendable () -> UInt64
    /// The milliseconds and counter of the last id: `milliseconds << 12 | counter`.
    private let last = Mutex<UInt64>(0)

    /// Creates a generator with a clock and a source of random bits.
    public init(
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
    ) {
        self.now = now
        self.random = random
    }

    /// Generates an id greater than all previous ids of this generator.
    public func next() -> RawID {
        let milliseconds = UInt64(max(0, now().microseconds / 1000)) & 0xFFFF_FFFF_FFFF
        let tick = last.withLock { last in
            last = max(last &+ 1, milliseconds << 12)
            return last
        }
        let high = (tick >> 12) << 16 | 0x7000 | tick & 0xFFF
        let low = 0b10 << 62 | random() >> 2
        return RawID(high: high, low: low)
    }
}
