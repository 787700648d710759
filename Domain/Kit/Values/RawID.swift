/// The 128 bits of an id without the type of its entity, as used by schemas, storage objects and stores.
///
/// Ordered by bytes, so that ids of ``UUIDv7Generator`` are in creation order.
public struct RawID: Hashable, Sendable {
    /// The first eight bytes, big-endian.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// Creates an id from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

extension RawID: Comparable {
    /// Byte order.
    public static func < (lhs: RawID, rhs: RawID) -> Bool {
        lhs.high == rhs.high ? lhs.low < rhs.low : lhs.high < rhs.high
    }
}

extension RawID: LosslessStringConvertible {
    /// The RFC 9562 form, in lower case: `0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87`.
    public var description: String {
        // Foundation's conversion takes ten times as long, and a response contains dozens of ids.
        return unsafe String(unsafeUninitializedCapacity: 36) { text in
            var end = 0
            for offset in 0..<32 {
                if offset == 8 || offset == 12 || offset == 16 || offset == 20 {
                    unsafe text[end] = UInt8(ascii: "-")
                    end += 1
                }
                let word = offset < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (offset % 16)) & 0xF)
                unsafe text[end] = .hexadecimalDigit(digit)
                end += 1
            }
            return end
        }
    }

    /// Parses the RFC 9562 form, with or without hyphens, in any case; `nil` for any other text.
    public init?(_ description: String) {
        var text = description
        guard let id = text.withUTF8({ unsafe RawID(text: $0) }) else { return nil }
        self = id
    }

    private init?(text: UnsafeBufferPointer<UInt8>) {
        let isHyphenated = text.count == 36
        guard isHyphenated || text.count == 32 else { return nil }
        var (words, at) = ((high: UInt64(0), low: UInt64(0)), 0)
        for digits in 0..<32 {
            if isHyphenated, digits == 8 || digits == 12 || digits == 16 || digits == 20 {
                guard unsafe text[at] == UInt8(ascii: "-") else { return nil }
                at += 1
            }
            guard let digit = unsafe text[at].hexadecimalValue else { return nil }
            if digits < 16 {
                words.high = words.high << 4 | UInt64(digit)
            } else {
                words.low = words.low << 4 | UInt64(digit)
            }
            at += 1
        }
        self.init(high: words.high, low: words.low)
    }
}
