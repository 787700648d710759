internal import LarderData

/// The number of roots of one entity, and a digest of their content that does not depend on their order.
///
/// The digest is the sum, modulo 2^128, of the first 16 bytes of the SHA-256 of each encoded root: its version, and the
/// object as in a log. It detects accidents, not forgeries.
public struct EntityDigest: Sendable, Hashable {
    /// The name of the entity.
    public let entity: String
    /// The number of roots.
    public private(set) var count = 0
    private(set) var sum: UInt128 = 0

    init(entity: String, count: Int = 0, sum: UInt128 = 0) {
        (self.entity, self.count, self.sum) = (entity, count, sum)
    }

    /// The digest in hexadecimal, with 32 digits.
    public var hex: String {
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// Adds a root as it is encoded in a record of roots. The index of its schema, a varint, is not digested: it depends
    /// on the other schemas of the store.
    mutating func add(encoded root: ArraySlice<UInt8>) {
        let words = SHA256.digest(root.drop { $0 & 0x80 != 0 }.dropFirst())
        count += 1
        sum &+= words.prefix(4).reduce(0) { $0 << 32 | UInt128($1) }
    }
}
