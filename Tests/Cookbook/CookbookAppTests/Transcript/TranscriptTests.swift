import Foundation
import Testing

/// Runs the transcripts and compares what is written and how it ends, byte for byte.
///
/// With `LARDER_REWRITE_TRANSCRIPTS=1` in the environment they are written anew instead, for a look at the difference.
struct TranscriptTests {
    private static let isRewriting = ProcessInfo.processInfo.environment["LARDER_REWRITE_TRANSCRIPTS"] == "1"

    /// The same commands have the same answers on all stores, so that one transcript serves them.
    static let onEachStore = names(in: "Stores")
    /// What depends on the process: settings, files of the store, standard input, a store that ends with its command.
    static let ofProcess = names(in: "Process")

    @Test(arguments: onEachStore + ofProcess)
    func `the binary answers as the transcript says`(name: String) async throws {
        let larder = try LarderProcess()
        try await compare(name, home: larder.folder, isRewriting: Self.isRewriting) { line in
            let input = line.input == nil ? try larder.folder.file("stdin", "") : line.input ?? ""
            return try larder.run(line.arguments, variables: line.variables, input: input)
        }
    }

    @Test(.enabled(if: !isRewriting), arguments: onEachStore)
    func `a store in memory that outlives its commands answers the same`(name: String) async throws {
        let larder = try await LarderInProcess(overFiles: false)
        try await compare(name, home: larder.folder, isRewriting: false) { try await larder.run($0) }
    }

    @Test(.enabled(if: !isRewriting), arguments: onEachStore)
    func `a store of files that each command opens answers the same`(name: String) async throws {
        let larder = try await LarderInProcess(overFiles: true)
        try await compare(name, home: larder.folder, isRewriting: false) { try await larder.run($0) }
    }

    private func compare(
        _ name: String, home: TemporaryFolder, isRewriting: Bool,
        run: (ShellLine) async throws -> LarderProcess.Answer
    ) async throws {
        try home.addSamples()
        var transcript = try Transcript(named: name)
        var placeholders = Placeholders(home: home.path)
        for (index, entry) in transcript.entries.enumerated() {
            let answer = try await run(entry.command.mapped(placeholders.meant))
            let lines = placeholders.lines(of: answer)
            // A placeholder may stand for something else than before, so that its answers are compared even then.
            if !isRewriting || !entry.answer.isEmpty && Placeholders.areNamed(in: entry.line) {
                #expect(lines == entry.answer, "\(name): $ \(entry.line)")
            }
            transcript.entries[index].answer = lines
        }
        if isRewriting { try transcript.write(as: name) }
    }

    private static func names(in folder: String) -> [String] {
        (try? Transcript.names(in: folder)) ?? []
    }
}
