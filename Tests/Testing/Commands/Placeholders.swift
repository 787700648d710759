internal import RegexBuilder

/// Names for values that differ from run to run: ids, tokens, cursors, instants, the home folder.
///
/// The first id of a transcript is `<id-1>`, and later commands may use that name.
public struct Placeholders {
    private let home: String
    private let tokenPrefix: String
    private var names: [String: String] = [:]
    private var counts: [String: Int] = [:]

    /// - Parameters:
    ///   - home: The home folder of the commands, which is shown as `~`.
    ///   - tokenPrefix: The prefix of access tokens: `loans_`.
    public init(home: String, tokenPrefix: String) {
        (self.home, self.tokenPrefix) = (home, tokenPrefix)
    }

    /// The lines of a result in a transcript.
    public mutating func lines(of answer: CommandResult) -> [String] {
        func lines(_ text: String, mark: String) -> [String] {
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { mark + $0 }
            // An output without a newline at its end differs from one with a newline.
            if lines.last == mark { lines.removeLast() } else { lines[lines.count - 1] += "(no end of line)" }
            return lines
        }
        return lines(named(answer.output), mark: "") + lines(named(answer.errors), mark: "! ")
            + ["[exit \(answer.status)]"]
    }

    /// The output with names instead of values.
    private mutating func named(_ text: String) -> String {
        // The width of columns depends on the path of the home folder.
        var text =
            text.contains(home) ? text.replacing(home, with: "~").replacing(#/ {2,}/#, with: "  ") : text
        text = replacing(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/, by: "id", in: text)
        text = text.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/, with: "<instant>")
        let token = Regex {
            tokenPrefix
            /[A-Za-z0-9_\-]{43}/
        }
        text = replacing(token, by: "token", in: text)
        text = replacing(/[A-Za-z0-9_\-]{40,}/, by: "cursor", in: text)
        text = text.replacing(/([ "])[0-9a-f]{32}\b/) { "\($0.output.1)<digest>" }
        text = text.replacing(/process \d+/, with: "process <number>")
            .replacing(/curl: \(\d+\) .*/, with: "(the words of curl)")
        // The length of a log's head depends on the declared schemas.
        text = text.replacing(/at byte \d+/, with: "at byte <number>").replacing(/\d+ bytes,/, with: "<number> bytes,")
            .replacing(/"(bytes|offset)":\d+/) { "\"\($0.output.1)\":<number>" }
            .replacing(/had \d+ bytes and has \d+/, with: "had <number> bytes and has <number>")
        return withoutLaws(text)
    }

    /// Whether a command contains placeholders.
    static func areNamed(in line: String) -> Bool { line.contains(/<(?:id|cursor)-\d+>/) }

    /// A word of a command, with the values instead of the placeholders.
    func meant(_ word: String) -> String {
        var word = word.hasPrefix("~/") || word.contains(":~/") ? word.replacing("~/", with: home + "/") : word
        for (value, name) in names { word = word.replacing(name, with: value) }
        return word
    }

    /// The number of laws changes with the contract; a transcript shows only that none is violated.
    private func withoutLaws(_ text: String) -> String {
        text.replacing(/(?:(?:kept|n\/a)  .*\n)+/, with: "(laws that are kept or not applicable)\n")
            .replacing(/\d+ laws kept/, with: "<number> laws kept")
            .replacing(/\d+ not applicable/, with: "<number> not applicable")
    }

    private mutating func replacing(_ pattern: Regex<Substring>, by kind: String, in text: String) -> String {
        var result = ""
        var rest = text[...]
        while let match = rest.firstMatch(of: pattern) {
            result += rest[..<match.range.lowerBound] + name(of: String(match.output), kind)
            rest = rest[match.range.upperBound...]
        }
        return result + rest
    }

    private mutating func name(of value: String, _ kind: String) -> String {
        if let name = names[value] { return name }
        counts[kind, default: 0] += 1
        let name = "<\(kind)-\(counts[kind, default: 0])>"
        names[value] = name
        return name
    }
}
