internal import LarderDomain

/// A digest that is the same on every machine and in every version: FNV-1a with 128 bits.
///
/// It identifies recipes without an identifier; it is not cryptographic, because it protects nothing.
enum StableDigest {
    /// The digest of texts in canonical composition, each followed by a zero byte, as 32 hexadecimal digits.
    static func digest(of texts: [String]) -> String {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b
        for text in texts {
            for byte in text.canonicallyComposed.utf8 { hash = (hash ^ UInt128(byte)) &* prime }
            hash = hash &* prime
        }
        return hash.hexadecimal
    }
}
