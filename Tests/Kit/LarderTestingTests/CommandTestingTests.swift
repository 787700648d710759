import LarderTesting
import Testing

/// Each finding about a command line has a fixture that produces it.
struct CommandTestingTests {
    private static let id = "01900000-0000-7000-8000-000000000001"

    /// A program that knows two commands.
    @Sendable private static func program(_ arguments: [String]) -> CommandResult {
        func printed(_ text: String) -> CommandResult { CommandResult(status: 0, output: text, errors: "") }
        switch arguments {
        case ["--help"]:
            return printed("USAGE\n\nSUBCOMMANDS:\n  add             Adds.\n  list            Lists.\n\n")
        case ["add", "--help"]: return printed("OPTIONS:\n  --name <name>   The name.\n  -h, --help      Help.\n")
        case ["list", "--help"]: return printed("OPTIONS:\n  -h, --help      Help.\n")
        case ["add", "--name", "Emma"]: return printed("\(id)\n")
        case ["list", id]: return printed("Emma \(id)\n")
        default: return CommandResult(status: 64, output: "", errors: "unknown\n")
        }
    }

    private let text = """
        # Adds a book.
        $ books add --name Emma
        <id-1>
        [exit 0]

        $ books list <id-1>
        Emma <id-1>
        [exit 0]

        """

    @Test func `a transcript is played, and its text is parsed again`() async throws {
        var transcript = CommandTranscript(text)
        #expect(transcript.text == text)
        let placeholders = Placeholders(home: "/home", tokenPrefix: "books_")
        let findings = try await transcript.play(placeholders) { Self.program($0.arguments) }
        #expect(findings == [])
        #expect(transcript.text == text)
    }

    @Test func `an answer that differs is a finding, and is recorded`() async throws {
        var transcript = CommandTranscript(text.replacing("Emma <id-1>", with: "Anna <id-1>"))
        let placeholders = Placeholders(home: "/home", tokenPrefix: "books_")
        // Also while it is rewritten, because the command uses a placeholder.
        let findings = try await transcript.play(placeholders, isRewriting: true) { Self.program($0.arguments) }
        #expect(findings.count == 1)
        #expect(findings.first?.contains("prints\nEmma <id-1>\n[exit 0]\ninstead of\nAnna <id-1>") == true)
        #expect(transcript.text == text)
    }

    @Test func `values that differ from run to run have names`() {
        var placeholders = Placeholders(home: "/home/ada", tokenPrefix: "books_")
        let secret = String(repeating: "aB_-1", count: 9).prefix(43)
        let lines = placeholders.lines(
            of: CommandResult(
                status: 1, output: "/home/ada/x\nbooks_\(secret)\nother_\(secret)\n", errors: "2026-03-01T18:30:00Z"))
        #expect(lines == ["~/x", "<token-1>", "<cursor-1>", "! <instant>(no end of line)", "[exit 1]"])
    }

    @Test func `a line of a shell has variables, words, quotes and input`() {
        let line = ShellLine("A=b books add 'two words' '' < file")
        #expect(line.variables == ["A": "b"])
        #expect(line.arguments == ["add", "two words", ""])
        #expect(line.input == "file")
        #expect(ShellLine("A=b").arguments == [])
    }

    @Test func `commands and options that no transcript uses are findings`() throws {
        let help = try HelpTree(Self.program)
        #expect(help.commands == [["add"]: ["--name", "--help"], ["list"]: ["--help"]])
        let coverage = CommandCoverage(help, [CommandTranscript(text.replacing("--name Emma", with: "Emma"))])
        #expect(
            coverage.findings() == [
                "'add' never fails", "'add' never uses --name", "'list' never fails", "no command uses --help",
            ])
        #expect(coverage.statuses == [0])
        #expect(coverage.commonOptions == ["--help"])
        #expect(CommandCoverage(help, []).findings().contains("'list' never succeeds"))
        let silent = try HelpTree { _ in Self.program(["--version"]) }
        #expect(CommandCoverage(silent, []).findings().contains("'' never succeeds"))
    }
}
