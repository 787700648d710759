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
        let weights = weights.sorted { $0.key < $1.key }
        // Appended to a string, each part would take hundreds of instructions.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(weights.reduce(0) { $0 + $1.key.utf8.count + 4 })
        for (word, weight) in weights {
            bytes.append(Self.space)
            bytes.append(contentsOf: word.utf8)
            bytes.append(Self.colon)
            bytes.append(contentsOf: String(min(weight, Self.greatestWeight)).utf8)
        }
        text = String(decoding: bytes, as: UTF8.self)
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
    /// - Complexity: O(log *n*) in the length of the text for each start, and O(*m*) in the length of the entries found.
    public func rank(of starts: [String]) -> Int64 {
        var (words, starts) = (text, starts.joined())
        return words.withUTF8 { words in starts.withUTF8 { unsafe Self.rank(of: $0, in: words) } }
    }

    /// The same for the bytes of both, the starts of entries after each other.
    package static func rank(of starts: UnsafeBufferPointer<UInt8>, in words: UnsafeBufferPointer<UInt8>) -> Int64 {
        var (rank, next) = (Int64(0), 0)
        while case let start = unsafe start(in: starts, from: next), !start.isEmpty {
            next = start.upperBound
            if unsafe hasWider(start, in: starts) { continue }
            var entry = unsafe firstEntry(of: words, notBefore: starts[word(of: starts, from: start.lowerBound)])
            while unsafe words[entry...].starts(with: starts[start]) {
                // A damaged entry may have no colon.
                let colon = unsafe word(of: words, from: entry).upperBound
                var (digit, weight) = (min(colon + 1, words.count), Int64(0))
                while digit < words.count, case let byte = unsafe words[digit], byte != space {
                    (digit, weight) = (digit + 1, weight &* 10 &+ Int64(byte) &- 0x30)
                }
                (entry, rank) = (digit, rank &+ weight)
            }
        }
        return rank
    }

    private static var space: UInt8 { 0x20 }
    private static var colon: UInt8 { 0x3A }

    /// The next start of an entry: a word with the space before it, and with the colon after it, if any. Empty at the end.
    private static func start(in starts: UnsafeBufferPointer<UInt8>, from offset: Int) -> Range<Int> {
        let word = unsafe word(of: starts, from: offset)
        let isWhole = unsafe word.upperBound < starts.count && starts[word.upperBound] == colon
        return isWhole ? word.lowerBound..<word.upperBound + 1 : word
    }

    /// Whether another of the starts, or an equal one before it, is the start of every entry that this one starts.
    private static func hasWider(_ start: Range<Int>, in starts: UnsafeBufferPointer<UInt8>) -> Bool {
        var next = 0
        while case let other = unsafe self.start(in: starts, from: next), !other.isEmpty {
            next = other.upperBound
            let isOther = other.count < start.count || other.lowerBound < start.lowerBound
            if isOther, unsafe starts[start].starts(with: starts[other]) { return true }
        }
        return false
    }

    /// The offset of the first entry whose word is not before another one.
    private static func firstEntry(
        of words: UnsafeBufferPointer<UInt8>, notBefore word: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Int {
        var (low, high) = (0, words.count)
        while low < high {
            var entry = low + (high - low) / 2
            while entry > low, unsafe words[entry] != space { entry -= 1 }
            let found = unsafe self.word(of: words, from: entry)
            if unsafe words[found].lexicographicallyPrecedes(word) {
                low = found.upperBound
                while low < words.count, unsafe words[low] != space { low += 1 }
            } else {
                high = entry
            }
        }
        return low
    }

    /// The words that another text has not, each after a space, without their weights.
    ///
    /// - Complexity: O(*n*) in the lengths of both: words are in one order.
    package func words(notIn other: WordText) -> String {
        var (text, other) = (self.text, other.text)
        let words = text.withUTF8 { text in other.withUTF8 { unsafe Self.words(of: text, notIn: $0) } }
        return String(decoding: words, as: UTF8.self)
    }

    /// The same for the bytes of both.
    package static func words(
        of text: UnsafeBufferPointer<UInt8>,
        notIn other: UnsafeBufferPointer<UInt8> = unsafe .init(start: nil, count: 0)
    ) -> [UInt8] {
        var (words, entry, known) = ([UInt8](), unsafe word(of: text, from: 0), unsafe word(of: other, from: 0))
        while !entry.isEmpty {
            let word = unsafe text[entry]
            // Both are in the order of words.
            while unsafe !known.isEmpty && other[known].lexicographicallyPrecedes(word) {
                known = unsafe self.word(of: other, from: known.upperBound)
            }
            if unsafe !other[known].elementsEqual(word) { unsafe words.append(contentsOf: word) }
            entry = unsafe self.word(of: text, from: entry.upperBound)
        }
        return words
    }

    /// The bytes of the next word from an offset, with the space before it; empty at the end.
    private static func word(of text: UnsafeBufferPointer<UInt8>, from offset: Int) -> Range<Int> {
        var start = offset
        while start < text.count, unsafe text[start] != space { start += 1 }
        var end = min(start + 1, text.count)
        while end < text.count, case let byte = unsafe text[end], byte != colon, byte != space { end += 1 }
        return start..<end
    }

    /// The words in their order.
    public var words: [Substring] { entries.compactMap { entry in entry.lastIndex(of: ":").map { entry[..<$0] } } }

    /// Words with their weights, as `onion:8`. By scalars, because a letter after a space may combine with it.
    private var entries: [Substring] { text.unicodeScalars.split(separator: " ").map(Substring.init) }
}
