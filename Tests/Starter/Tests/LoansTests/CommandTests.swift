import Foundation
import LarderApp
import LarderTesting
import Testing

@testable import LoansApp

/// The built program at the command line.
struct CommandTests {
    static let files = Transcripts.files("Transcripts", "txt")

    @Test(arguments: files)
    func `the program prints what the transcript says`(file: String) async throws {
        let loans = try ProgramProcess("loans")
        var transcript = try CommandTranscript(file: file)
        let placeholders = Placeholders(home: loans.folder.path, tokenPrefix: Loans.identity.tokenPrefix)
        let isRewriting = Transcripts.isRewriting
        let findings = try await transcript.play(placeholders, isRewriting: isRewriting) { try loans.run($0) }
        #expect(findings == [])
        #expect(!transcript.text.lowercased().contains("larder"))
        for file in try FileManager.default.subpathsOfDirectory(atPath: loans.folder.path) {
            #expect(!file.lowercased().contains("larder"))
        }
        if isRewriting { try transcript.write(to: file) }
    }

    @Test func `each command of the service is in a transcript, with its options`() throws {
        let loans = try ProgramProcess("loans")
        let help = try HelpTree { try loans.run($0, input: "/dev/null") }
        let coverage = CommandCoverage(help, try Self.files.map(CommandTranscript.init(file:)))
        let own = coverage.findings().filter { finding in
            ["'add-member'", "'books'", "'lend'"].contains { finding.hasPrefix($0) }
        }
        #expect(own == [])
    }
}
