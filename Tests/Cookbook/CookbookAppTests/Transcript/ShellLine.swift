/// The little of a shell that transcripts use: variables before the command, words, single quotes, and `< file`.
struct ShellLine {
    private(set) var variables: [String: String] = [:]
    /// Without the program's own name.
    private(set) var arguments: [String] = []
    private(set) var input: String?

    init(_ line: String) {
        var words = Self.words(line)
        while let first = words.first, let equals = first.firstIndex(of: "=") {
            variables[String(first[..<equals])] = String(first[first.index(after: equals)...])
            words.removeFirst()
        }
        words.removeFirst()
        if let redirection = words.firstIndex(of: "<") {
            input = words[redirection + 1]
            words.removeSubrange(redirection...(redirection + 1))
        }
        arguments = words
    }

    /// The line with each word replaced.
    func mapped(_ transform: (String) -> String) -> ShellLine {
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
