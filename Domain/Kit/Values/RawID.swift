#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The 128 bits of an id, without the type of what they name: what schemas, storage objects and stores work with.
///
/// Ids are ordered by their bytes, so that those of ``UUIDv7Generator`` are ordered by the time of their making.
public struct RawID: Hashable, Sendable {
    /// The first eight bytes, big-endian.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// Makes an id of its two halves.
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
    /// The id in the form of RFC 9562, in lower case: `0190f3a2-7c4e-7d1b-8a5f-3e2d1c0b9a87`.
    public var description: String { UUID(self).uuidString.lowercased() }

    /// Reads the form of RFC 9562, with or without hyphens, in any case; `nil` for any other text.
    public init?(_ description: some StringProtocol) {
        var digits = String(description)
        if digits.utf8.count == 32, !digits.utf8.contains(UInt8(ascii: "-")) {
            for offset in [20, 16, 12, 8] {
                digits.insert("-", at: digits.utf8.index(digits.startIndex, offsetBy: offset))
            }
        }
        guard Self.isWellFormed(digits), let uuid = UUID(uuidString: digits) else { return nil }
        self.init(uuid)
    }

    /// Whether hyphens and hexadecimal digits are where they belong; Foundation also takes blanks and signs for digits.
    private static func isWellFormed(_ text: String) -> Bool {
        text.utf8.enumerated().allSatisfy { offset, byte in
            switch byte {
            case UInt8(ascii: "-"): [8, 13, 18, 23].contains(offset)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default: false
            }
        }
    }

    /// Reads the form of RFC 9562; see the generic initialiser.
    public init?(_ description: String) {
        self.init(description[...])
    }
}

extension RawID {
    /// The bits of a UUID.
    public init(_ uuid: UUID) {
        let b = uuid.uuid
        func word(_ bytes: UInt8...) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(
            high: word(b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7), low: word(b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15))
    }
}

extension UUID {
    /// The UUID with the bits of an id.
    public init(_ id: RawID) {
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
        let (h, l) = (id.high, id.low)
        self.init(
            uuid: (
                byte(h, 0), byte(h, 1), byte(h, 2), byte(h, 3), byte(h, 4), byte(h, 5), byte(h, 6), byte(h, 7),
                byte(l, 0), byte(l, 1), byte(l, 2), byte(l, 3), byte(l, 4), byte(l, 5), byte(l, 6), byte(l, 7)
            ))
    }
}
