internal import LarderDomain

/// The words of a text in the form in which they are searched: lower case, without diacritics.
///
/// A word is a sequence of letters, numbers and vowel signs; each ideograph is a word. Canonically equivalent texts have
/// equal words. Formats such as the soft hyphen do not end a word. Letters without a decomposition are folded like `ß`
/// to `ss` and `ø` to `o`.
struct SearchWords: Sequence, IteratorProtocol {
    /// The maximum number of scalars in a word; the rest of a longer word is ignored, also in a search.
    static let maximumLength = 40

    private var scalars: Substring.UnicodeScalarView
    /// Whether an asterisk follows the last word.
    private(set) var isPrefix = false

    /// - Complexity: O(*n*) for all words of a text, or O(*n* log *n*) for long runs of combining marks.
    init(_ text: String) { scalars = text.canonicallyComposed[...].unicodeScalars }

    mutating func next() -> String? {
        var word = String.UnicodeScalarView()
        var length = 0
        while let scalar = scalars.first {
            let kind = scalar.searchKind
            if kind == .ideograph, length > 0 { break }
            scalars.removeFirst()
            switch kind {
            case .separator:
                if length == 0 { continue }
                isPrefix = scalar == "*"
                return String(word).canonicallyComposed
            case .ignored: continue
            case .mark: if length == 0 { continue }
            case .letter, .ideograph: break
            }
            if length < Self.maximumLength { scalar.fold(into: &word) }
            length += 1
            if kind == .ideograph {
                isPrefix = scalars.first == "*"
                return String(word).canonicallyComposed
            }
        }
        isPrefix = false
        return length == 0 ? nil : String(word).canonicallyComposed
    }
}

extension Unicode.Scalar {
    fileprivate enum SearchKind { case letter, ideograph, mark, ignored, separator }

    fileprivate var searchKind: SearchKind {
        if isASCII {
            let isLetter = (0x61...0x7A).contains(value | 0x20) || (0x30...0x39).contains(value)
            return isLetter ? .letter : .separator
        }
        if properties.isIdeographic { return .ideograph }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return .letter
        case .nonspacingMark, .spacingMark, .enclosingMark: return isDiacritic ? .ignored : .mark
        default: return properties.isDefaultIgnorableCodePoint ? .ignored : .separator
        }
    }

    /// Whether a mark is dropped. Vowel signs, the virama, and the marks of voiced kana belong to the word.
    private var isDiacritic: Bool {
        properties.canonicalCombiningClass.rawValue >= 10 || properties.generalCategory == .enclosingMark
            || properties.isDefaultIgnorableCodePoint
    }

    fileprivate func fold(into word: inout String.UnicodeScalarView) {
        if isASCII {
            return word.append((0x41...0x5A).contains(value) ? Unicode.Scalar(UInt8(value | 0x20)) : self)
        }
        for part in String(self).canonicallyDecomposed {
            if part.searchKind == .ignored { continue }
            for lower in part.properties.lowercaseMapping.unicodeScalars where lower.searchKind != .ignored {
                if let letters = lower.foldedLetters {
                    word.append(contentsOf: letters.unicodeScalars)
                } else {
                    word.append(lower)
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
        case "ı": "i"
        case "ς": "σ"
        default: nil
        }
    }
}
