@_spi(_Unicode) private import Swift

extension String {
    /// The text in Unicode normalization form C, so that texts which look the same have the same bytes.
    ///
    /// The standard library has the algorithm (it compares strings with it) but offers it only to the toolchain's own
    /// modules; Foundation offers it publicly and would be linked whole for it. `docs/decisions` weighs the two.
    ///
    /// - Complexity: O(*n*); ASCII text, the common case, is returned as it is.
    public var canonicallyComposed: String {
        if isPlainASCII || utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var composed = String.UnicodeScalarView()
        for scalar in _nfc { composed.append(scalar) }
        return String(composed)
    }

    /// Whether it is of ASCII without U+0000, looked at in words of eight bytes: such a text is stored as it is.
    @usableFromInline var isPlainASCII: Bool {
        unsafe utf8.withContiguousStorageIfAvailable { bytes in
            let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
            let raw = UnsafeRawBufferPointer(bytes)
            var offset = 0
            while offset &+ 8 <= raw.count {
                let word = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                // A top bit is set in a byte that is not ASCII, or becomes set by the borrow of one that is 0.
                if (word | (word &- ones)) & tops != 0 { return false }
                offset &+= 8
            }
            return unsafe raw[offset...].allSatisfy { $0 != 0 && $0 < 0x80 }
        } ?? false
    }
}
