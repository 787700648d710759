import Foundation

/// The conditions of the rows of a table.
enum Checks {
    /// The texts in the parentheses after each `CHECK` of a statement that creates a table, which no pragma of SQLite lists.
    static func conditions(in sql: String) -> [String] {
        var (found, depth, start) = ([String](), 0, nil as Int?)
        for piece in pieces(of: sql) {
            if piece == ")" { depth -= 1 }
            if piece == ")", start == depth {
                start = nil
            } else if start != nil, !(found[found.count - 1].isEmpty && piece == "(") {
                found[found.count - 1] += piece
            } else if piece.uppercased() == "CHECK" {
                (start, found) = (depth, found + [""])
            }
            if piece == "(" { depth += 1 }
        }
        return found.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    /// The column and the words of `state IN ('open', 'closed')`, also in the words of PostgreSQL; `nil` for another condition.
    static func words(in condition: String) -> (column: String, words: [String])? {
        let plain = condition.replacing(/::(?:text|character varying|bpchar)(?:\[\])?/.ignoresCase(), with: "")
            .replacing(#/^CHECK /#, with: "").replacing(/\s+/, with: " ")
        let forms = [
            #/\(*["`\[]?(\w+)["`\]]?\)* IN ?\(([^()]*)\)\)*/#.ignoresCase(),
            #/\(*"?(\w+)"?\)* = ANY \(*ARRAY\[([^\[\]]*)\]\)*/#,
        ]
        guard let match = forms.lazy.compactMap({ plain.wholeMatch(of: $0) }).first else { return nil }
        let words = match.2.split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " ()")) }
        guard words.allSatisfy({ $0.wholeMatch(of: /'[^']*'/) != nil }) else { return nil }
        return (String(match.1), words.map { String($0.dropFirst().dropLast()) })
    }

    /// Words, quoted texts, and single other characters; without comments.
    private static func pieces(of sql: String) -> [String] {
        let form = #/--[^\n]*|/\*(?s:.*?)\*/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+|\s+|(?s:.)/#
        let pieces = sql.matches(of: form).map { String($0.output) }
        var isStart = true
        return pieces.filter { piece in
            if piece.hasPrefix("--") || piece.hasPrefix("/*") { return false }
            defer { isStart = piece.uppercased() == "CHECK" }
            // White space between the word and its parenthesis.
            return !(isStart && piece.allSatisfy(\.isWhitespace))
        }
    }
}
