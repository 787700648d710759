import Foundation

/// A text file of a package.
public struct SourceFile: Sendable {
    /// From the root, with `/` between folders.
    public let path: String
    /// All of it.
    public let text: String
    /// A Swift file's code without comments and string literals, line by line as in the text; otherwise empty.
    public let code: String
    /// Every import in the code.
    public let imports: [ImportLine]

    /// A file that need not be on disk.
    public init(path: String, text: String) {
        self.path = path
        self.text = text
        code = path.hasSuffix(".swift") ? CodeMask.code(of: text) : ""
        imports = code.isEmpty ? [] : ImportLine.all(in: code)
    }

    /// Whether it is a source of Swift.
    public var isSwift: Bool { path.hasSuffix(".swift") }

    /// The lines without their line breaks.
    public var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// How many lines an editor shows, an empty one after the last line break left out.
    public var lineCount: Int { lines.count - (text.hasSuffix("\n") ? 1 : 0) }

    /// How many lines have code: not those that are blank, comment, or brackets alone.
    public var codeLineCount: Int {
        code.split(separator: "\n").count { line in line.contains { $0.isLetter || $0.isNumber } }
    }

    /// Where in the code a pattern matches, by the number of the line.
    public func lines(ofCodeMatching pattern: Regex<Substring>) -> [Int] {
        code.matches(ofCode: pattern).map { code.line(at: $0.range.lowerBound) }
    }

    /// Whether it is the manifest of the package, or one for an older version of the tools.
    var isManifest: Bool { path.hasPrefix("Package") && !path.contains("/") }

    /// Whether the text contains an ASCII word of small letters, in any case.
    func contains(anyCase word: String) -> Bool {
        // Bytes, because comparing characters takes seconds over all sources.
        Data(text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }).range(of: Data(word.utf8)) != nil
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
