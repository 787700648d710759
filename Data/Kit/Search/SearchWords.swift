internal import LarderDomain

/// The words of a text in the form in which they are searched: lower case, without diacritics.
///
/// A word is a sequence of letters, numbers and vowel signs; each ideograph is a word. Canonically equivalent texts have
/// equal words. Formats such as the soft hyphen do not end a word. Words are folded as `String.folded`.
struct SearchWords: Sequence, IteratorProtocol {
    /// The maximum number of scalars in a word; the rest of a longer word is ignored, also in a search.
    static let maximumLength = 40

    private var scalars: Substring.UnicodeScalarView
    /// Whether an asterisk follows the last word.
    private(set) var isPrefix = false

    /// - Complexity: O(*n*) for all words of a text, or O(*n* log *n*) for long runs of combining marks.
    init(_ text: String) { scalars = text.canonicallyComposed[...].unicodeScalars }

    mutating func next() -> String? {
        if let word = nextOfASCII() { return word }
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

    /// The next word if it and what surrounds it are ASCII, as most words are: without the properties of scalars.
    private mutating func nextOfASCII() -> String? {
        let text = Substring(scalars)
        let found = unsafe text.utf8.withContiguousStorageIfAvailable { bytes -> (word: String, end: Int)? in
            guard let start = unsafe bytes.firstIndex(where: { !$0.isSeparator }), unsafe bytes[start] < 0x80 else {
                return nil
            }
            let end = unsafe bytes[start...].firstIndex { !$0.isLetter } ?? bytes.count
            guard unsafe end == bytes.count || bytes[end] < 0x80 else { return nil }
            let count = Swift.min(end - start, Self.maximumLength)
            let word = unsafe String(unsafeUninitializedCapacity: count) { word in
                for index in 0..<count {
                    let byte = unsafe bytes[start + index]
                    unsafe word[index] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
                }
                return count
            }
            return (word, end)
        }
        guard case let (word, end)?? = found else { return nil }
        let rest = text.utf8.dropFirst(end)
        isPrefix = rest.first == UInt8(ascii: "*")
        scalars = Substring(rest.dropFirst()).unicodeScalars
        return word
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter or digit.
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) || (0x30...0x39).contains(self) }

    /// Whether it is another ASCII character.
    fileprivate var isSeparator: Bool { self < 0x80 && !isLetter }
}

extension Unicode.Scalar {
    fileprivate enum SearchKind { case letter, ideograph, mark, ignored, separator }

    fileprivate var searchKind: SearchKind {
        if isASCII {
            return UInt8(truncatingIfNeeded: value).isLetter ? .letter : .separator
        }
        if isFoldedAway { return .ignored }
        if properties.isIdeographic { return .ideograph }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return .letter
        case .nonspacingMark, .spacingMark: return .mark
        default: return .separator
        }
    }
}
