import LarderApp
import LarderTesting
import Testing

@testable import CookbookApp

/// Runs the transcripts and compares the output and the exit status, byte for byte.
///
/// With `REWRITE_TRANSCRIPTS=1` in the environment, they are rewritten instead; review the difference.
struct TranscriptTests {
    /// All stores give the same output for the same commands, so that one transcript serves all of them.
    static let onEachStore = Transcripts.files("../Transcripts/Stores", "txt")
    /// Transcripts of one process: settings, files of the store, standard input, a store that ends with the command.
    static let ofProcess = Transcripts.files("../Transcripts/Process", "txt")

    @Test(arguments: onEachStore + ofProcess)
    func `the binary responds as in the transcript`(file: String) async throws {
        let larder = try LarderProcess()
        try await compare(file, larder.folder, isRewriting: Transcripts.isRewriting) { try larder.run($0) }
    }

    @Test(.enabled(if: !Transcripts.isRewriting), arguments: onEachStore, [false, true])
    func `an in-memory store that outlives its commands, and a file store, respond alike`(
        file: String, overFiles: Bool
    ) async throws {
        let larder = try await CommandsInProcess(overFiles: overFiles)
        try await compare(file, larder.folder, isRewriting: false) { try await larder.run($0) }
    }

    private func compare(
        _ file: String, _ home: TemporaryFolder, isRewriting: Bool, run: (ShellLine) async throws -> CommandResult
    ) async throws {
        try home.addSamples()
        var transcript = try CommandTranscript(file: file)
        let placeholders = Placeholders(home: home.path, tokenPrefix: Larder.identity.tokenPrefix)
        let findings = try await transcript.play(placeholders, isRewriting: isRewriting, run: run)
        for finding in findings { #expect(Bool(false), "\(file): \(finding)") }
        if isRewriting { try transcript.write(to: file) }
    }
}

/// Every command and option in the help occurs in a transcript.
struct CoverageTests {
    private let help: HelpTree
    private let coverage: CommandCoverage

    init() throws {
        let larder = try LarderProcess()
        help = try HelpTree { try larder.run($0, input: "/dev/null") }
        let files = TranscriptTests.onEachStore + TranscriptTests.ofProcess
        coverage = CommandCoverage(help, try files.map(CommandTranscript.init(file:)))
    }

    @Test func `each command succeeds and fails, and uses each of its options`() {
        #expect(help.commands.count > 20)
        #expect(coverage.commonOptions == ["--store", "--durability", "--as", "--config", "--version", "--help"])
        #expect(coverage.findings() == [])
    }

    @Test func `each documented exit status occurs, except for a broken store or program`() {
        #expect(coverage.statuses == [0, 64, 65, 66, 69, 73, 74, 77, 78])
    }
}
