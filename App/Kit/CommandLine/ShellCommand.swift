extension [String] {
    /// The words as one command line for a POSIX shell.
    package var shellCommand: String { map(\.shellWord).joined(separator: " ") }
}

extension String {
    /// The text as one word for a POSIX shell, in single quotes if it has a character that the shell may interpret.
    package var shellWord: String {
        if !isEmpty, utf8.allSatisfy({ $0.isPlainInShells }) { return self }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}

extension UInt8 {
    fileprivate var isPlainInShells: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-_./:@,+=".utf8.contains(self)
        }
    }
}
