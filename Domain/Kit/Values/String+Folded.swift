extension String {
    /// The text in lower case and without diacritics, for comparisons and sorts that ignore both: `Ångström` is
    /// `angstrom`, `İstanbul` is `istanbul`, and `ΒΟΡΡΆΣ` is `βορρασ`.
    ///
    /// Texts that differ only in case, by the full mappings of Unicode, have the same folded text, except for the iota
    /// subscript of Greek, which is a diacritic in lower case and a letter in upper case. Letters that Unicode does not
    /// decompose become similar ones, such as `ss` for `ß` and `o` for `ø`. Vowel signs, and the marks of voiced kana,
    /// remain. Invisible characters, such as the soft hyphen, are removed. The result is in NFC.
    ///
    /// A search compares words in this form.
    ///
    /// - Complexity: O(*n*), or O(*n* log *n*) for long runs of combining marks.
    public var folded: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
        var folded = String.UnicodeScalarView()
        for scalar in canonicallyComposed.unicodeScalars where !scalar.isFoldedAway { scalar.fold(into: &folded) }
        return String(folded).canonicallyComposed
    }
}

extension String? {
    /// The folded text; `nil` for `nil`.
    public var folded: String? { self?.folded }
}
