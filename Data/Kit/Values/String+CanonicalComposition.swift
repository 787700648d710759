@_spi(_Unicode) private import Swift

extension String {
    /// The text in Unicode normalization form C, so that texts which look the same have the same bytes.
    ///
    /// The standard library has the algorithm (it compares strings with it) but offers it only to the toolchain's own
    /// modules; Foundation offers it publicly and would be linked whole for it. `docs/decisions` weighs the two.
    ///
    /// - Complexity: O(*n*); ASCII text, the common case, is returned as it is.
    public var canonicallyComposed: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var composed = String.UnicodeScalarView()
        for scalar in _nfc { composed.append(scalar) }
        return String(composed)
    }
}
