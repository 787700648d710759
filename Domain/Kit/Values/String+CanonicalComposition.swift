@_spi(_Unicode) private import Swift

extension String {
    /// The text in Unicode normalization form C (NFC), in which canonically equivalent texts have equal bytes.
    ///
    /// The standard library has the algorithm (it compares strings with it) but offers it only to the toolchain's own
    /// modules. Foundation offers it publicly, but would be linked as a whole. `docs/decisions` compares the two.
    ///
    /// - Complexity: O(*n*) for text with short runs of combining marks (see ``hasLongCombiningRun``), else O(*n* log
    ///   *n*). Latin text without combining marks, the common case, is returned unchanged.
    public var canonicallyComposed: String {
        // The standard library's insertion sort of a run of marks takes quadratic time for a long run.
        (hasLongCombiningRun ? decomposedInOrder : self).shortRunsComposed
    }

    /// The scalars of the text in Unicode normalization form D (NFD); requires that it has no long run of combining marks.
    package var canonicallyDecomposed: some Sequence<Unicode.Scalar> { _nfd }

    /// The text in NFC; requires that it has no long run of combining marks.
    var shortRunsComposed: String {
        if isBelowCombiningMarks { return self }
        var composed = String.UnicodeScalarView()
        for scalar in _nfc { composed.append(scalar) }
        return String(composed)
    }

    /// The text in NFD. Sorts the marks of each run in O(*n* log *n*).
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
