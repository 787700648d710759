/// One import declaration.
public struct ImportLine: Sendable {
    /// The name of the module, without submodule or declaration.
    public let module: String
    /// The number of the line, from 1.
    public let line: Int
    /// Whether it is in the `#else` of `#if canImport(FoundationEssentials)`.
    public let isFallback: Bool

    /// All imports in code without comments, in any form: with attributes, with an access level, of a single
    /// declaration, after a `;`.
    static func all(in code: String) -> [ImportLine] {
        let pattern = /\bimport\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?([A-Za-z_]\w*)/
        let fallback = fallbackLines(of: code)
        return code.matches(ofCode: pattern).map { match in
            let line = code.line(at: match.range.lowerBound)
            return ImportLine(module: String(match.1), line: line, isFallback: fallback.contains(line))
        }
    }

    private static func fallbackLines(of code: String) -> Set<Int> {
        var found: Set<Int> = []
        var branches: [(prefersEssentials: Bool, isElse: Bool)] = []
        for (index, line) in code.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            switch words.first {
            case "#if": branches.append((words.dropFirst().joined() == "canImport(FoundationEssentials)", false))
            case "#elseif": if let last = branches.popLast() { branches.append((false, last.isElse)) }
            case "#else": if let last = branches.popLast() { branches.append((last.prefersEssentials, true)) }
            case "#endif": branches.removeLast(branches.isEmpty ? 0 : 1)
            default: if branches.contains(where: { $0.prefersEssentials && $0.isElse }) { found.insert(index + 1) }
            }
        }
        return found
    }
}
