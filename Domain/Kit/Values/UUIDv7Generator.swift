private import Synchronization

/// Makes UUIDs of version 7 (RFC 9562, section 5.7): 48 bits of Unix time in milliseconds, then a counter, then chance.
///
/// Within one generator ids rise strictly, also when many are made in one millisecond or the clock steps back: the
/// 12 bits after the version are a counter (section 6.2, method 1) that carries into the time when it is full.
public final class UUIDv7Generator: IDGenerator {
    private let now: @Sendable () -> Timestamp
    private let random: @Sendable () -> UInt64
    /// Milliseconds and counter of the last id: `milliseconds << 12 | counter`.
    private let last = Mutex<UInt64>(0)

    /// Makes a generator that reads the given clock and source of chance.
    public init(
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
    ) {
        self.now = now
        self.random = random
    }

    /// An id greater than all that this generator made before.
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
