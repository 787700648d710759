internal import LarderDomain

/// A digest that is the same on every machine and in every year: FNV-1a with 128 bits.
///
/// It recognises a recipe that has no name of its own; it protects nothing, so that it need not resist an attacker.
enum StableDigest {
    /// 32 hexadecimal digits for some texts, their canonical composition taken, each ended by a zero byte.
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
