extension Sequence<UInt8> {
    /// The 64-bit FNV-1a hash. Stable across processes, unlike `Hasher`, and no protection against attacks.
    package var fingerprint: UInt64 {
        reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
