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
        // Foundation's conversion takes more than ten times as long, and a response contains dozens of ids.
        return unsafe String(unsafeUninitializedCapacity: 36) { text in
            let text = UnsafeMutableRawBufferPointer(text)
            let (first, second) = (UInt64(digitsOf: high >> 32), UInt64(digitsOf: high))
            let (third, fourth) = (UInt64(digitsOf: low >> 32), UInt64(digitsOf: low))
            unsafe text.storeBytes(of: first.bigEndian, as: UInt64.self)
            unsafe text.store(second, hyphenatedAt: 8)
            unsafe text.store(third, hyphenatedAt: 18)
            unsafe text.storeBytes(of: fourth.bigEndian, toByteOffset: 28, as: UInt64.self)
            return 36
        }
    }

    /// Parses the RFC 9562 form, with or without hyphens, in any case; `nil` for any other text.
    public init?(_ description: String) {
        var text = description
        guard let id = text.withUTF8({ unsafe RawID(text: $0) }) else { return nil }
        self = id
    }

    private init?(text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 36 || text.count == 32 else { return nil }
        let isHyphenated = text.count == 36
        let bytes = UnsafeRawBufferPointer(text)
        let second = unsafe isHyphenated ? bytes.word(hyphenatedAt: 8) : bytes.word(at: 8)
        let third = unsafe isHyphenated ? bytes.word(hyphenatedAt: 18) : bytes.word(at: 16)
        guard let first = unsafe bytes.word(at: 0).hexadecimalBits, let second = second?.hexadecimalBits,
            let third = third?.hexadecimalBits, let fourth = unsafe bytes.word(at: text.count - 8).hexadecimalBits
        else { return nil }
        self.init(high: first << 32 | second, low: third << 32 | fourth)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Stores four digits after a hyphen, twice.
    fileprivate func store(_ digits: UInt64, hyphenatedAt offset: Int) {
        let (first, second) = (UInt32(truncatingIfNeeded: digits >> 32), UInt32(truncatingIfNeeded: digits))
        unsafe (self[offset], self[offset + 5]) = (UInt8(ascii: "-"), UInt8(ascii: "-"))
        unsafe storeBytes(of: first.bigEndian, toByteOffset: offset + 1, as: UInt32.self)
        unsafe storeBytes(of: second.bigEndian, toByteOffset: offset + 6, as: UInt32.self)
    }
}

extension UnsafeRawBufferPointer {
    /// Eight bytes, the first one most significant.
    fileprivate func word(at offset: Int) -> UInt64 {
        unsafe UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Four bytes after a hyphen, twice; `nil` without the hyphens.
    fileprivate func word(hyphenatedAt offset: Int) -> UInt64? {
        let (first, second) = unsafe (word(at: offset), UInt64(word(at: offset + 4)))
        guard first >> 56 == UInt8(ascii: "-"), second >> 48 & 0xFF == UInt8(ascii: "-") else { return nil }
        return first << 8 & 0xFFFF_FFFF_0000_0000 | second >> 16 & 0xFFFF_FFFF
    }
}
