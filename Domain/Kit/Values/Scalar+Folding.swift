extension Unicode.Scalar {
    /// Whether folding removes it: a diacritic, or an invisible character.
    package var isFoldedAway: Bool {
        // The most frequent diacritics. Their properties take much longer.
        if isASCII { return false }
        if (0x300...0x333).contains(value) { return true }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return false
        case .nonspacingMark, .spacingMark:
            // Vowel signs, the virama, and the marks of voiced kana are part of a word.
            return properties.canonicalCombiningClass.rawValue >= 10 || properties.isDefaultIgnorableCodePoint
        case .enclosingMark: return true
        default: return properties.isDefaultIgnorableCodePoint
        }
    }

    /// Appends the folded form of a scalar that folding does not remove.
    package func fold(into text: inout String.UnicodeScalarView) {
        if isASCII {
            return text.append((0x41...0x5A).contains(value) ? Unicode.Scalar(UInt8(value | 0x20)) : self)
        }
        for part in String(self).canonicallyDecomposed where !part.isFoldedAway {
            // Full case folding, except for Cherokee, whose folded form is upper case.
            for upper in part.properties.uppercaseMapping.unicodeScalars {
                for lower in upper.properties.lowercaseMapping.unicodeScalars where !lower.isFoldedAway {
                    if let letters = lower.foldedLetters {
                        text.append(contentsOf: letters.unicodeScalars)
                    } else {
                        text.append(lower)
                    }
                }
            }
        }
    }

    /// The replacement of a letter that Unicode does not decompose.
    private var foldedLetters: String? {
        switch self {
        case "ß": "ss"
        case "æ": "ae"
        case "œ": "oe"
        case "ø": "o"
        case "ł": "l"
        case "đ", "ð": "d"
        case "þ": "th"
        case "ħ": "h"
        default: nil
        }
    }
}
