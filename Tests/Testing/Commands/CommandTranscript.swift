internal import Foundation

/// A readable session with a program: remarks, commands, their output, and their exit status.
///
/// ```
/// # A remark.
/// $ loans books add 'Moby Dick'
/// Added Moby Dick.
/// [exit 0]
/// ```
///
/// A line is a remark (`# …`), a command (`$ …`), a line of standard error (`! …`), the exit status (`[exit N]`), or a
/// line of standard output. A command with a blank line below it has no recorded output yet.
public struct CommandTranscript: Sendable {
    /// One command and its output.
    public struct Entry: Sendable {
        /// The lines above the command.
        public let remarks: [String]
        /// The command.
        public let line: String
        /// The lines of output, and the exit status.
        public var answer: [String]

        /// The exit status of the answer.
        public var status: Int32? {
            answer.last.flatMap { $0.hasPrefix("[exit ") ? Int32($0.dropFirst("[exit ".count).dropLast()) : nil }
        }
        /// The command, parsed.
        public var command: ShellLine { ShellLine(line) }
    }

    /// The commands in their order.
    public internal(set) var entries: [Entry] = []

    /// Parses a transcript.
    public init(_ text: String) {
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

    /// Reads a transcript from a file.
    public init(file: String) throws {
        self.init(try String(contentsOfFile: file, encoding: .utf8))
    }

    /// The text of this transcript, from which it can be parsed.
    public var text: String {
        entries.map { ($0.remarks + ["$ " + $0.line] + $0.answer).joined(separator: "\n") + "\n" }.joined(
            separator: "\n")
    }

    /// Writes the transcript to a file.
    public func write(to file: String) throws { try Data(text.utf8).write(to: URL(filePath: file)) }

    /// Runs all commands, and records their output.
    ///
    /// - Parameters:
    ///   - placeholders: The names for values that differ from run to run.
    ///   - isRewriting: Whether the output may differ from the transcript's. That of a command with a placeholder may
    ///     not, because the placeholder may now name another value.
    ///   - run: Runs one command.
    /// - Returns: A finding for each output that differs.
    public mutating func play(
        _ placeholders: Placeholders, isRewriting: Bool = false,
        run: (ShellLine) async throws -> CommandResult
    ) async throws -> [String] {
        var placeholders = placeholders
        var findings: [String] = []
        for (index, entry) in entries.enumerated() {
            let lines = placeholders.lines(of: try await run(entry.command.mapped(placeholders.meant)))
            if lines != entry.answer,
                !isRewriting || !entry.answer.isEmpty && Placeholders.areNamed(in: entry.line)
            {
                let (said, expected) = (lines.joined(separator: "\n"), entry.answer.joined(separator: "\n"))
                findings.append("$ \(entry.line)\nprints\n\(said)\ninstead of\n\(expected)")
            }
            entries[index].answer = lines
        }
        return findings
    }
}

/// The transcripts of a folder of tests.
public enum Transcripts {
    /// Whether tests write transcripts instead of comparing them: `REWRITE_TRANSCRIPTS=1` in the environment.
    public static let isRewriting = ProcessInfo.processInfo.environment["REWRITE_TRANSCRIPTS"] == "1"

    /// The paths of the files with an extension, sorted, in a folder next to a source file; empty without the folder.
    public static func files(_ folder: String, _ type: String, beside source: String = #filePath) -> [String] {
        let folder = URL(filePath: source).deletingLastPathComponent().appending(path: folder).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".\(type)") }.sorted().map { "\(folder)/\($0)" }
    }
}
