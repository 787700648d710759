/// A file of the workspace.
struct SourceFile: Sendable {
    /// From the root, with `/` between folders.
    let path: String
    let text: String
    /// A Swift file's code without comments and string literals, line by line as in the text; else empty.
    let code: String
    /// Every import in the code; found once, because several rules ask.
    let imports: [ImportLine]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        code = path.hasSuffix(".swift") ? CodeMask.code(of: text) : ""
        imports = code.isEmpty ? [] : ImportLine.all(in: code)
    }

    var isSwift: Bool { path.hasSuffix(".swift") }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// How many lines an editor shows, an empty one after the last line break left out.
    var lineCount: Int { lines.count - (text.hasSuffix("\n") ? 1 : 0) }

    /// How many lines have code: not those that are blank, comment, or brackets alone. What a reader reads.
    var codeLineCount: Int {
        code.split(separator: "\n").count { line in line.contains { $0.isLetter || $0.isNumber } }
    }

    /// Where in the code a pattern matches, by line number.
    func lines(ofCodeMatching pattern: Regex<Substring>) -> [Int] {
        code.matches(ofCode: pattern).map { code.line(at: $0.range.lowerBound) }
    }
}

extension String {
    /// The matches of a pattern in code. Unicode's own word boundaries would take `values.first` for one word.
    func matches<Output>(ofCode pattern: Regex<Output>) -> [Regex<Output>.Match] {
        matches(of: pattern.wordBoundaryKind(.simple))
    }

    /// The number of the line, from 1, in which a place lies.
    func line(at index: Index) -> Int {
        1 + self[..<index].utf8.count { $0 == UInt8(ascii: "\n") }
    }
}
