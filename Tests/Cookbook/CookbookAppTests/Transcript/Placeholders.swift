/// Names for what differs from run to run: ids, tokens, cursors, instants, the home folder.
///
/// The first id of a transcript is `<id-1>`, wherever it stands, and a command may use that name.
struct Placeholders {
    let home: String
    private var names: [String: String] = [:]
    private var counts: [String: Int] = [:]

    init(home: String) {
        self.home = home
    }

    /// An answer as a transcript has it.
    mutating func lines(of answer: LarderProcess.Answer) -> [String] {
        func lines(_ text: String, mark: String) -> [String] {
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { mark + $0 }
            // What does not end with a line's end is told from what does.
            if lines.last == mark { lines.removeLast() } else { lines[lines.count - 1] += "(no end of line)" }
            return lines
        }
        return lines(named(answer.output), mark: "") + lines(named(answer.errors), mark: "! ")
            + ["[exit \(answer.status)]"]
    }

    /// The output with names in place of what they stand for.
    private mutating func named(_ text: String) -> String {
        // Columns are as wide as the home folder's path, which is nobody's business.
        var text =
            text.contains(home) ? text.replacing(home, with: "~").replacing(#/ {2,}/#, with: "  ") : text
        text = replacing(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/, by: "id", in: text)
        text = text.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/, with: "<instant>")
        text = replacing(/larder_[A-Za-z0-9_\-]{43}/, by: "token", in: text)
        text = replacing(/[A-Za-z0-9_\-]{40,}/, by: "cursor", in: text)
        text = text.replacing(/process \d+/, with: "process <number>")
        // The head of a log has whatever the schemas declare.
        text = text.replacing(/at byte \d+/, with: "at byte <number>").replacing(/\d+ bytes,/, with: "<number> bytes,")
            .replacing(/"(bytes|offset)":\d+/) { "\"\($0.output.1)\":<number>" }
            .replacing(/had \d+ bytes and has \d+/, with: "had <number> bytes and has <number>")
        return withoutLaws(text)
    }

    /// Whether a command uses one.
    static func areNamed(in line: String) -> Bool { line.contains(/<(?:id|cursor)-\d+>/) }

    /// A word of a command with what its names stand for.
    func meant(_ word: String) -> String {
        var word = word.hasPrefix("~/") || word.contains(":~/") ? word.replacing("~/", with: home + "/") : word
        for (value, name) in names { word = word.replacing(name, with: value) }
        return word
    }

    /// Laws come and go with the contract; that they are kept is what a transcript tells.
    private func withoutLaws(_ text: String) -> String {
        text.replacing(/(?:(?:kept|n\/a)  .*\n)+/, with: "(laws that are kept or not applicable)\n")
            .replacing(/\d+ laws kept/, with: "<number> laws kept")
            .replacing(/\d+ not applicable/, with: "<number> not applicable")
            .replacing(
                /{"group":"[^"]*","law":"[^"]*",(?:"reason":"[^"]*",)?"verdict":"(?:kept|not applicable)"},?/, with: "")
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
