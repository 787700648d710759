import LarderArchitecture

/// A fenced block of a document.
struct MarkdownBlock: Sendable {
    /// The text after the opening fence: `sh`, `swift`.
    let language: String
    let lines: [Substring]
    /// The line number of the opening fence, from 1.
    let line: Int
    /// The line above the opening fence; `nil` at the start of the document.
    let lineAbove: Substring?
    /// The preceding block, if only blank lines are between the two.
    let languageAbove: String?

    /// The source file that an excerpt names: `<!-- from: Domain/Kit/Ports/Entity.swift -->` above the fence.
    var source: String? {
        guard let match = lineAbove?.prefixMatch(of: /<!-- from: (\S+) -->/) else { return nil }
        return String(match.1)
    }

    /// The parts of an excerpt, separated by lines that contain only a comment of three dots, which marks an omission.
    var parts: [[Substring]] {
        lines.split { $0.drop(while: \.isWhitespace) == "// ..." }.map { part in
            let isBlank = { (line: Substring) in line.allSatisfy(\.isWhitespace) }
            let trimmed = part.drop(while: isBlank).reversed().drop(while: isBlank)
            return trimmed.reversed()
        }
    }

    /// Whether a text contains the parts in order, each line for line, possibly with more indentation.
    func isExcerpt(of source: SourceFile) -> Bool {
        var rest = source.lines[...]
        guard !parts.isEmpty else { return false }
        for part in parts {
            guard let start = rest.indices.first(where: { rest[$0...].begins(with: part) }) else { return false }
            rest = rest[(start + part.count)...]
        }
        return true
    }
}

extension ArraySlice<Substring> {
    /// Whether the lines start with the given lines, ignoring a common indentation.
    fileprivate func begins(with part: [Substring]) -> Bool {
        guard count >= part.count, let first, let wanted = part.first, first.hasSuffix(wanted) else { return false }
        let indentation = first.dropLast(wanted.count)
        guard indentation.allSatisfy(\.isWhitespace) else { return false }
        return zip(self, part).allSatisfy { line, wanted in
            wanted.isEmpty ? line.isEmpty : line == indentation + wanted
        }
    }
}
