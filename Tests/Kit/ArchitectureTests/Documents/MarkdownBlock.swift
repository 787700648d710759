import LarderArchitecture

/// A fenced block of a document.
struct MarkdownBlock: Sendable {
    /// What follows the opening fence: `sh`, `swift`.
    let language: String
    let lines: [Substring]
    /// The number of the opening fence's line, from 1.
    let line: Int
    /// The line above the opening fence; `nil` at the beginning of the document.
    let lineAbove: Substring?
    /// The last block before, if there is nothing but blank lines between the two.
    let languageAbove: String?

    /// The file that an excerpt says it is from: `<!-- from: Domain/Kit/Ports/Entity.swift -->` above the fence.
    var source: String? {
        guard let match = lineAbove?.prefixMatch(of: /<!-- from: (\S+) -->/) else { return nil }
        return String(match.1)
    }

    /// The parts of an excerpt: a comment of three dots alone on its line stands for what was left out between two.
    var parts: [[Substring]] {
        lines.split { $0.drop(while: \.isWhitespace) == "// ..." }.map { part in
            let isBlank = { (line: Substring) in line.allSatisfy(\.isWhitespace) }
            let trimmed = part.drop(while: isBlank).reversed().drop(while: isBlank)
            return trimmed.reversed()
        }
    }

    /// Whether the parts stand in a text, one after another, each line for line; further to the right if need be.
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
    /// Whether the lines begin with some others, the same indentation before each of them set aside.
    fileprivate func begins(with part: [Substring]) -> Bool {
        guard count >= part.count, let first, let wanted = part.first, first.hasSuffix(wanted) else { return false }
        let indentation = first.dropLast(wanted.count)
        guard indentation.allSatisfy(\.isWhitespace) else { return false }
        return zip(self, part).allSatisfy { line, wanted in
            wanted.isEmpty ? line.isEmpty : line == indentation + wanted
        }
    }
}
