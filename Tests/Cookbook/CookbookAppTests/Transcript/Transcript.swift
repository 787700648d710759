import Foundation

/// A session with `larder`, as a person reads it: remarks, commands, what they write, and how they end.
///
/// A line is a remark (`# …`), a command (`$ …`), what goes to standard error (`! …`), the end (`[exit N]`), or a line of
/// standard output. A command with a blank line below it has no answer yet.
struct Transcript {
    /// One command with what it wrote.
    struct Entry {
        let remarks: [String]
        let line: String
        var answer: [String]

        /// How it ended, as the transcript says.
        var status: Int32? {
            answer.last.flatMap { $0.hasPrefix("[exit ") ? Int32($0.dropFirst("[exit ".count).dropLast()) : nil }
        }
        var command: ShellLine { ShellLine(line) }
    }

    var entries: [Entry] = []

    init(_ text: String) {
        var remarks: [String] = []
        var isUnanswered = true
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("$ ") {
                entries.append(Entry(remarks: remarks, line: String(line.dropFirst(2)), answer: []))
                (remarks, isUnanswered) = ([], false)
            } else if let entry = entries.last, entry.status == nil, entry.answer.isEmpty, line.isEmpty {
                isUnanswered = true
            } else if isUnanswered || entries.last?.status != nil {
                // Between two commands.
                if !line.isEmpty { remarks.append(line) }
            } else {
                entries[entries.count - 1].answer.append(line)
            }
        }
    }

    /// The text that is read as this transcript.
    var text: String {
        entries.map { ($0.remarks + ["$ " + $0.line] + $0.answer).joined(separator: "\n") + "\n" }.joined(
            separator: "\n")
    }
}

extension Transcript {
    /// The names of all transcripts in a folder.
    static func names(in folder: String) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder + folder)
        return names.filter { $0.hasSuffix(".txt") }.sorted().map { "\(folder)/\($0)" }
    }

    init(named name: String) throws {
        self.init(try String(contentsOfFile: Self.folder + name, encoding: .utf8))
    }

    func write(as name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: Self.folder + name))
    }

    private static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Transcripts").path + "/"
}
