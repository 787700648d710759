import LarderApp
import LarderTesting
import Testing

@testable import LoansApp

/// The built program at the command line.
struct CommandTests {
    static let files = Transcripts.files("Transcripts", "txt")

    @Test(arguments: files)
    func `the program prints the transcript`(file: String) async throws {
        let program = try ProgramProcess(Program.identity.name)
        var transcript = try CommandTranscript(file: file)
        let placeholders = Placeholders(home: program.folder.path, tokenPrefix: Program.identity.tokenPrefix)
        let isRewriting = Transcripts.isRewriting
        let findings = try await transcript.play(placeholders, isRewriting: isRewriting) { try program.run($0) }
        #expect(findings == [])
        if isRewriting { try transcript.write(to: file) }
    }

    @Test func `each command is in a transcript, with its options`() throws {
        let program = try ProgramProcess(Program.identity.name)
        let help = try HelpTree { try program.run($0, input: "/dev/null") }
        let coverage = CommandCoverage(help, try Self.files.map(CommandTranscript.init(file:)))
        // The commands that `make entity` adds have tests of their own.
        let commands = [
            "bikes",
            "users",
        ]
        #expect(coverage.findings().filter { finding in commands.contains { finding.hasPrefix("'\($0)") } } == [])
    }
}
