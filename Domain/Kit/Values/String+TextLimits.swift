extension String {
    /// The most combining marks that may follow each other: the bound of the Stream-Safe Text Format (UAX 15).
    public static var longestCombiningRun: Int { 30 }

    /// Whether more than ``longestCombiningRun`` combining marks follow each other. No language writes that; to bring
    /// such a text into a normal form, or to compare it, can take quadratic time.
    ///
    /// - Complexity: O(*n*).
    public var hasLongCombiningRun: Bool {
        if isBelowCombiningMarks { return false }
        var run = 0
        for scalar in unicodeScalars {
            guard scalar.value >= 0x300 else {
                run = 0
                continue
            }
            run = scalar.isCombining ? run + 1 : 0
            if run > Self.longestCombiningRun { return true }
        }
        return false
    }

    /// Whether all code points are below U+0300, the first combining mark, which begins with the byte 0xCC. Such a text
    /// is in normalization form C: no two of its code points compose.
    var isBelowCombiningMarks: Bool { utf8.allSatisfy { $0 < 0xCC } }

    /// The text in normalization form C, for a field of at most so many characters.
    ///
    /// Characters are Unicode code points of the normalized text, which is how JSON Schema counts `maxLength`; in UTF-8
    /// they take at most four bytes each. A text that is much too long is refused by its bytes, before anything else is
    /// done with it.
    ///
    /// - Throws: `TextRefusal`.
    /// - Complexity: O(*n*).
    public func composed(atMost limit: Int) throws(TextRefusal) -> String {
        let size = utf8.count
        // No code point of the normalized form has more than 12 bytes in any other form.
        guard size <= limit * 12 else { throw .tooLong(limit: limit) }
        guard !hasLongCombiningRun else { throw .tooManyCombiningMarks }
        let composed = shortRunsComposed
        guard size <= limit || composed.unicodeScalars.count <= limit else { throw .tooLong(limit: limit) }
        return composed
    }
}

/// Why a text field does not take a text.
public enum TextRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has more code points than the field takes.
    case tooLong(limit: Int)
    /// See ``Swift/String/hasLongCombiningRun``.
    case tooManyCombiningMarks

    /// What is wrong, as a predicate of the field.
    public var description: String {
        switch self {
        case .tooLong(let limit): "must have at most \(limit) characters"
        case .tooManyCombiningMarks:
            "must not have more than \(String.longestCombiningRun) successive combining marks"
        }
    }
}

extension Unicode.Scalar {
    /// Whether its canonical decomposition begins with a combining mark. Three Tibetan vowel signs have the combining
    /// class 0, although they decompose into marks only. All scalars from U+0300 to U+034E are combining marks, so that
    /// the frequent ones need no table.
    fileprivate var isCombining: Bool {
        if (0x300...0x34E).contains(value) { return true }
        return properties.canonicalCombiningClass != .notReordered || value == 0xF73 || value == 0xF75 || value == 0xF81
    }
}
