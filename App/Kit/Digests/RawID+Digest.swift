package import LarderDomain

extension RawID {
    /// The first 16 bytes of a digest, so that a point read finds an entity by its digest.
    ///
    /// The parameter is not generic: another module calls an unspecialized function at a cost of 20,000 instructions.
    package init(firstOf digest: [UInt8]) {
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(digest[..<8]), low: word(digest[8..<16]))
    }
}
