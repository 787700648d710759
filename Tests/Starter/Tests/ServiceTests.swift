import LarderData
import LarderHTTP
import LarderTesting
import Testing

@testable import LoansApp

/// The service over HTTP.
struct ServiceTests {
    static let files = Transcripts.files("Transcripts", "http")

    @Test(arguments: files, Transcripts.isRewriting ? [.memory] : StoreKind.allCases)
    func `the service answers as the transcript says`(file: String, kind: StoreKind) async throws {
        var transcript = try HTTPTranscript(file: file)
        let findings = try await kind.withStore(try MapperSet(Entities.mappers).schemas) { store in
            try await transcript.play(try await TestService(store).player, isRewriting: Transcripts.isRewriting)
        }
        #expect(findings == [])
        if Transcripts.isRewriting { try transcript.write(to: file) }
    }

    @Test func `the OpenAPI document describes each route`() async throws {
        try await StoreKind.memory.withStore(try MapperSet(Entities.mappers).schemas) { store in
            let http = try await TestService(store).http
            let coverage = RouteCoverage(routes: http.routes, document: try http.api.pages().document.json)
            let transcripts = try Self.files.map(HTTPTranscript.init(file:))
            // The transcripts show the routes of the service, and not each status of each route.
            #expect(coverage.findings(transcripts).filter { !$0.hasSuffix("is in no transcript") } == [])
        }
    }
}
