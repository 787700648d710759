import Foundation

/// A text file of a package.
public struct SourceFile: Sendable {
    /// The path from the root, with `/` between folders.
    public let path: String
    /// The whole text.
    public let text: String
    /// The code of a Swift file without comments and string literals, with the same lines as the text; otherwise empty.
    public let code: String
    /// All imports in the code.
    public let imports: [ImportLine]

    /// A file, not necessarily on disk.
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

    /// The number of lines in an editor, without an empty one after the last line break.
    public var lineCount: Int { lines.count - (text.hasSuffix("\n") ? 1 : 0) }

    /// The line numbers of a pattern's matches in the code.
    public func lines(ofCodeMatching pattern: Regex<Substring>) -> [Int] {
        code.matches(ofCode: pattern).map { code.line(at: $0.range.lowerBound) }
    }

    /// Whether the file is the manifest of the package, or one for an older version of the tools.
    var isManifest: Bool { path.hasPrefix("Package") && !path.contains("/") }

    /// Whether the text contains an ASCII word in lower case, ignoring the case of the text.
    func contains(anyCase word: String) -> Bool {
        // Compares bytes, because comparing characters takes seconds over all sources.
        Data(text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }).range(of: Data(word.utf8)) != nil
    }
}

extension String {
    /// The matches of a pattern in code. Unicode's own word boundaries would take `values.first` for one word.
    func matches<Output>(ofCode pattern: Regex<Output>) -> [Regex<Output>.Match] {
        matches(of: pattern.wordBoundaryKind(.simple))
    }

    /// The line number, from 1, of an index.
    func line(at index: Index) -> Int {
        1 + self[..<index].utf8.count { $0 == UInt8(ascii: "\n") }
    }
}
