import Foundation
import LarderApp
import LarderInfrastructure
import Testing

/// Plays the transcripts and compares each answer byte for byte.
///
/// With `LARDER_REWRITE_TRANSCRIPTS=1` in the environment they are written anew instead, for a look at the difference.
struct HTTPTranscriptTests {
    private static let isRewriting = ProcessInfo.processInfo.environment["LARDER_REWRITE_TRANSCRIPTS"] == "1"

    enum Kind: String, CaseIterable {
        case memory, sqlite, file

        func settings(in folder: TemporaryFolder) -> StoreSettings {
            switch self {
            case .memory: StoreSettings(location: .memory)
            case .sqlite: StoreSettings(location: .sqlite(path: folder.path + "/larder.sqlite"), durability: .off)
            case .file: StoreSettings(location: .file(folder: folder.path + "/larder"))
            }
        }
    }

    @Test(arguments: HTTPTranscript.names, isRewriting ? [.memory] : Kind.allCases)
    func `the service answers as the transcript says`(name: String, kind: Kind) async throws {
        let folder = try TemporaryFolder()
        var player = try await TranscriptPlayer(kind.settings(in: folder))
        var transcript = try HTTPTranscript(named: name)
        for (index, exchange) in transcript.exchanges.enumerated() {
            let answer = try await player.play(exchange)
            if !Self.isRewriting { #expect(answer == exchange.answer, "\(name): \(exchange.request[0])") }
            transcript.exchanges[index].answer = answer
        }
        if Self.isRewriting { try transcript.write(as: name) }
    }
}
