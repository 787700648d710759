#if Postgres
/// The permitted kinds of statements of a ``PostgresDatabase``, by their first words. None of them ends the transaction
/// or begins a `COPY` of the client, also not in a function: in an explicit transaction, the server refuses this.
///
/// The server decides what a statement changes: a read is a read-only transaction, and ``PostgresFootprint`` judges a write.
enum PostgresRules {
    static let isRead = "a read must not change the database; use PostgresAccess.write"
    private static let reads: Set = ["explain", "select", "show", "table", "values", "with"]
    private static let writes: Set = [
        "alter", "analyze", "call", "cluster", "comment", "create", "delete", "do", "drop", "grant", "insert", "lock",
        "merge", "refresh", "reindex", "revoke", "truncate", "update",
    ]

    /// Why a statement is refused; `nil` if it is permitted.
    static func refusal(of text: String, writes: Bool) -> String? {
        // libpq would ignore the rest of the text.
        if text.utf8.contains(0) { return "a statement must not contain U+0000" }
        let word = firstWord(of: text)
        if word.isEmpty { return "the text contains no statement" }
        if reads.contains(word) || writes && Self.writes.contains(word) { return nil }
        return Self.writes.contains(word)
            ? isRead : "PostgresAccess does not permit '\(word)', which may end the transaction or change the session"
    }

    /// The first word, in lower case, after what PostgreSQL's own scanner skips, and after parentheses.
    private static func firstWord(of text: String) -> String {
        var rest = text.utf8[...]
        while let byte = rest.first {
            if rest.starts(with: "--".utf8) {
                rest = rest.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            } else if rest.starts(with: "/*".utf8) {
                skipComment(&rest)
            } else if " \t\n\r\u{c};(".utf8.contains(byte) {
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return String(decoding: rest.prefix { letters.contains($0 | 0x20) }, as: UTF8.self).lowercased()
    }

    /// Comments contain others.
    private static func skipComment(_ rest: inout Substring.UTF8View) {
        var depth = 0
        repeat {
            let change = rest.starts(with: "/*".utf8) ? 1 : rest.starts(with: "*/".utf8) ? -1 : 0
            depth += change
            rest = rest.dropFirst(change == 0 ? 1 : 2)
        } while depth > 0 && !rest.isEmpty
    }
}
#endif
