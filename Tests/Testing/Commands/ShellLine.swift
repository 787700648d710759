/// The part of a shell's syntax that transcripts use: variables before the command, words, single quotes, and `< file`.
public struct ShellLine: Sendable {
    /// The variables before the command.
    public private(set) var variables: [String: String] = [:]
    /// The arguments, without the program's name.
    public private(set) var arguments: [String] = []
    /// The file of standard input; `nil` for empty input.
    public private(set) var input: String?

    /// Parses a line. The first word after the variables is the program's name.
    public init(_ line: String) {
        var words = Self.words(line)
        while let first = words.first, let equals = first.firstIndex(of: "=") {
            variables[String(first[..<equals])] = String(first[first.index(after: equals)...])
            words.removeFirst()
        }
        if let redirection = words.firstIndex(of: "<"), redirection + 1 < words.count {
            input = words[redirection + 1]
            words.removeSubrange(redirection...(redirection + 1))
        }
        arguments = Array(words.dropFirst())
    }

    /// The line with each word replaced.
    public func mapped(_ transform: (String) -> String) -> ShellLine {
        var line = self
        line.variables = variables.mapValues(transform)
        line.arguments = arguments.map(transform)
        line.input = input.map(transform)
        return line
    }

    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var (word, isQuoted, isWord) = ("", false, false)
        for character in line {
            switch character {
            case "'":
                isQuoted.toggle()
                isWord = true
            case " " where !isQuoted:
                if isWord { words.append(word) }
                (word, isWord) = ("", false)
            default:
                word.append(character)
                isWord = true
            }
        }
        return isWord ? words + [word] : words
    }
}
