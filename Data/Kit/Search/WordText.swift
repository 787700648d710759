/// The words of an entity's texts with their weights, as one text: ` onion:8 soup:4`.
///
/// Each word is in an entry, after a space and before a colon and the weight. The words are distinct, and in the order of
/// their UTF-8 bytes. They are in the form of searches, and have neither spaces nor colons. So a search for a part of the text
/// finds a word by ` onion:`, and all words that start with letters by ` oni`.
public struct WordText: Sendable {
    /// The stored text; in NFC, like the words.
    public let text: String

    /// The text in a value; empty for `null`.
    public init(_ value: Value) {
        if case .text(let text) = value { self.text = text } else { text = "" }
    }

    /// The greatest weight that is stored: the greatest position of PostgreSQL's text search.
    private static let greatestWeight: Int64 = 16_383

    /// The text of some words.
    public init(_ weights: [String: Int64]) {
        // In NFC, the order of scalars is that of bytes.
        text = weights.sorted { $0.key < $1.key }.reduce(into: "") {
            $0 += " \($1.key):\(min($1.value, Self.greatestWeight))"
        }
    }

    /// The start of the entry of a word.
    public static func start(of word: String) -> String { " \(word):" }

    /// The start of the entries of all words that start with these letters.
    public static func start(ofWordsFrom letters: String) -> String { " \(letters)" }

    /// The start of an entry.
    public struct Start {
        /// A word, or its first letters.
        public let word: String
        /// Whether it is a whole word.
        public let isWhole: Bool

        /// `nil` for a text that is not the start of an entry.
        public init?(_ part: String) {
            guard part.utf8.first == UInt8(ascii: " ") else { return nil }
            isWhole = part.utf8.last == UInt8(ascii: ":")
            word = String(part.unicodeScalars.dropFirst().dropLast(isWhole ? 1 : 0))
            // Other ASCII bytes are in no word. An index could ignore them.
            let isWord = word.utf8.allSatisfy { byte in
                byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
            }
            if word.isEmpty || !isWord { return nil }
        }
    }

    /// The sum of the weights of the entries that start with any of the texts, each once.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    public func rank(of starts: [String]) -> Int64 {
        var (words, starts) = (text, starts.joined())
        return words.withUTF8 { words in starts.withUTF8 { unsafe Self.rank(of: $0, in: words) } }
    }

    /// The same for the bytes of both, the starts of entries after each other.
    package static func rank(of starts: UnsafeBufferPointer<UInt8>, in words: UnsafeBufferPointer<UInt8>) -> Int64 {
        var (rank, entry) = (Int64(0), 0)
        while entry < words.count {
            var end = entry + 1
            while end < words.count, unsafe words[end] != space { end += 1 }
            if unsafe isFound(entry..<end, of: words, by: starts) {
                var (digit, unit) = (end - 1, Int64(1))
                while digit > entry, case let byte = unsafe words[digit], byte != colon {
                    rank &+= unit &* (Int64(byte) &- 0x30)
                    (digit, unit) = (digit - 1, unit &* 10)
                }
            }
            entry = end
        }
        return rank
    }

    private static var space: UInt8 { 0x20 }
    private static var colon: UInt8 { 0x3A }

    /// Whether an entry, from its space, starts with any of the starts.
    private static func isFound(
        _ entry: Range<Int>, of words: UnsafeBufferPointer<UInt8>, by starts: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        var next = 0
        while next < starts.count {
            var byte = entry.lowerBound
            repeat {
                (byte, next) = (byte + 1, next + 1)
                if next == starts.count { return true }
                if unsafe starts[next] == space { return true }
            } while unsafe byte < entry.upperBound && words[byte] == starts[next]
            while next < starts.count, unsafe starts[next] != space { next += 1 }
        }
        return false
    }

    /// The bytes of the words, each after a space, without their weights.
    package static func words(in text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var (words, isWord) = ([UInt8](), true)
        words.reserveCapacity(text.count)
        for index in text.indices {
            let byte = unsafe text[index]
            if byte == space { isWord = true } else if byte == colon { isWord = false }
            if isWord { words.append(byte) }
        }
        return words
    }

    /// The words in their order.
    public var words: [Substring] { entries.compactMap { entry in entry.lastIndex(of: ":").map { entry[..<$0] } } }

    /// Words with their weights, as `onion:8`. By scalars, because a letter after a space may combine with it.
    private var entries: [Substring] { text.unicodeScalars.split(separator: " ").map(Substring.init) }
}
