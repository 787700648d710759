@_spi(_Unicode) private import Swift

extension String {
    /// The text in Unicode normalization form C, so that texts which look the same have the same bytes.
    ///
    /// The standard library has the algorithm (it compares strings with it) but offers it only to the toolchain's own
    /// modules; Foundation offers it publicly and would be linked whole for it. `docs/decisions` weighs the two.
    ///
    /// - Complexity: O(*n*) for a text whose runs of combining marks are short (``hasLongCombiningRun``), else
    ///   O(*n* log *n*). A text without combining marks and of Latin letters, the common case, is returned as it is.
    public var canonicallyComposed: String {
        // The standard library sorts the marks of a run by insertion, which takes quadratic time for a long run.
        (hasLongCombiningRun ? decomposedInOrder : self).shortRunsComposed
    }

    /// The text in normalization form C, for a text that has no long run of combining marks.
    var shortRunsComposed: String {
        if isBelowCombiningMarks { return self }
        var composed = String.UnicodeScalarView()
        for scalar in _nfc { composed.append(scalar) }
        return String(composed)
    }

    /// The text in normalization form D, with the marks of each run sorted in O(*n* log *n*).
    private var decomposedInOrder: String {
        var result = String.UnicodeScalarView()
        var run: [(rank: Int, scalar: Unicode.Scalar)] = []
        func order() {
            for mark in run.enumerated().sorted(by: { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }) {
                result.append(mark.element.scalar)
            }
            run.removeAll(keepingCapacity: true)
        }
        for scalar in unicodeScalars {
            for part in String(scalar)._nfd {
                let rank = Int(part.properties.canonicalCombiningClass.rawValue)
                if rank > 0 {
                    run.append((rank, part))
                } else {
                    order()
                    result.append(part)
                }
            }
        }
        order()
        return String(result)
    }
}
