extension JSON {
    /// The maximum nesting depth of arrays and objects.
    public static let greatestDepth = 64
    /// The maximum number of values in a text from a caller, at any depth: objects, arrays, and the values in them. A
    /// value takes 32 bytes or more, so a text of two bytes for each would otherwise need many times its length.
    public static let greatestCount = 100_000

    /// Parses one JSON text (RFC 8259) strictly, in time and memory proportional to its length.
    ///
    /// Beyond the grammar it refuses input on which parsers disagree: a duplicate name in one object (also when two
    /// spellings are canonically equivalent), lone surrogates, invalid UTF-8, U+0000 in text and names (also escaped),
    /// texts and names that take quadratic time to compare (more than `String.longestCombiningRun` successive combining
    /// marks), a byte order mark, more than ``greatestDepth`` levels, and numbers beyond a finite `Double`.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - count: The maximum number of values; `.max` for a text that is not from a caller of a service.
    ///   - allowsControlCharacters: Whether texts may contain unescaped control characters other than U+0000, which
    ///     many web pages contain and RFC 8259 does not permit.
    /// - Throws: `JSONError` for the first error.
    public init(
        parsing bytes: some Sequence<UInt8>, atMost count: Int = greatestCount, allowsControlCharacters: Bool = false
    ) throws(JSONError) {
        var parser = JSONParser(Array(bytes), atMost: count, allowsControlCharacters: allowsControlCharacters)
        self = try parser.whole()
    }

    /// Parses one JSON text, as ``init(parsing:atMost:allowsControlCharacters:)`` does.
    ///
    /// - Throws: `JSONError` for the first error.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: text.utf8)
    }
}
