import CookbookDomain
import LarderData
import LarderHTTP
import LarderTesting
import Testing

@testable import CookbookApp

#if Postgres
import LarderPostgres
@testable import LarderPostgresTests
#endif

/// Plays the transcripts and compares each response byte for byte.
///
/// With `REWRITE_TRANSCRIPTS=1` in the environment, they are rewritten instead; review the difference.
struct HTTPTranscriptTests {
    static let files = Transcripts.files("Transcript", "http")

    @Test(arguments: files, Transcripts.isRewriting ? [.memory] : [StoreKind.memory, .sqlite, .file])
    func `the service responds as in the transcript`(file: String, kind: StoreKind) async throws {
        var transcript = try HTTPTranscript(file: file)
        let findings = try await kind.withStore(try MapperSet(Container.mappers).schemas) { store in
            try await transcript.play(try await CookbookPlayer(store), isRewriting: Transcripts.isRewriting)
        }
        for finding in findings { #expect(Bool(false), "\(file): \(finding)") }
        if Transcripts.isRewriting { try transcript.write(to: file) }
    }

    #if Postgres
    @Test(.postgres, arguments: files)
    func `the service responds on PostgreSQL as in the transcript`(file: String) async throws {
        let server = try await TestServer.shared.value
        var transcript = try HTTPTranscript(file: file)
        let findings = try await PostgresScratch.with(.init(server.connection(), connections: 2)) { scratch in
            let store = try await scratch.open(try MapperSet(Container.mappers).schemas, "transcript")
            let findings: [String]
            do { findings = try await transcript.play(try await CookbookPlayer(store)) } catch {
                await store.close()
                throw error
            }
            await store.close()
            return findings
        }
        for finding in findings { #expect(Bool(false), "\(file): \(finding)") }
    }
    #endif

    @Test func `the transcripts cover exactly the documented statuses of each route`() async throws {
        let coverage = RouteCoverage(
            routes: try await CookbookHarness().routes, document: try CookbookAPI.madePages.get().document.json)
        let findings = coverage.findings(try Self.files.map(HTTPTranscript.init(file:)))
        #expect(Self.files.count > 5 && coverage.listed.count > 250)
        #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
        print("proof: http transcript: \(coverage.listed.count) route and status pairs on memory, sqlite and file")
    }
}
