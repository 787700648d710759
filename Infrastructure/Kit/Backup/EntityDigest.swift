/// The number of roots of one entity, and a digest of their content that does not depend on their order.
///
/// The digest is the sum, modulo 2^128, of a checksum of each encoded root: its version, and the object as in a log. It
/// detects accidents, not forgeries.
public struct EntityDigest: Sendable, Hashable {
    /// The name of the entity.
    public let entity: String
    /// The number of roots.
    public private(set) var count = 0
    private(set) var sum: UInt128 = 0

    /// The digest in hexadecimal, with 32 digits.
    public var hex: String { sum.allDigits }

    /// Adds a root as it is encoded in a record of roots. The index of its schema, a varint, is not digested: it depends
    /// on the other schemas of the store.
    mutating func add(encoded root: ArraySlice<UInt8>) {
        count += 1
        sum &+= UInt128(checksum: root.drop { $0 & 0x80 != 0 }.dropFirst())
    }
}

extension UnsignedInteger where Self: FixedWidthInteger {
    /// The number in hexadecimal, with leading zeros.
    var allDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}

extension UInt128 {
    /// A checksum of bytes; `FORMAT.md` defines it. It detects every change within eight aligned bytes, because each
    /// step is a bijection, and misses another change as rarely as a random number.
    init(checksum bytes: ArraySlice<UInt8>) {
        self = 0
        unsafe bytes.withUnsafeBytes { bytes in
            for place in stride(from: 0, to: bytes.count & ~7, by: 8) {
                mix(UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            }
            let rest = unsafe bytes.suffix(bytes.count % 8)
            if unsafe !rest.isEmpty { mix(unsafe rest.reduce(0) { $0 << 8 | UInt64($1) } << (64 - 8 * rest.count)) }
        }
        mix(UInt64(bytes.count))
    }

    @inline(__always)
    private mutating func mix(_ word: UInt64) {
        // The multiplier of the 128-bit generators of the PCG family.
        self = (self ^ UInt128(word)) &* 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645
        self ^= self >> 64
    }
}
