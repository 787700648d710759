package import LarderDomain

extension RawID {
    /// The first 16 bytes of a digest, so that a point read finds an entity by its digest.
    package init(firstOf digest: some Sequence<UInt8>) {
        let bytes = Array(digest.prefix(16))
        func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(bytes.prefix(8)), low: word(bytes.dropFirst(8)))
    }
}
