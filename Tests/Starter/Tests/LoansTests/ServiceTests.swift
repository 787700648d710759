import Hummingbird
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderTesting
import LoansDomain
import Testing

@testable import LoansApp

/// The service over HTTP, with two members: ann, a librarian, and bob.
struct ServiceTests {
    static let files = Transcripts.files("Transcripts", "http")

    private func player(_ store: any Store) async throws -> HTTPTranscriptPlayer<LoansAPI> {
        let ids = CountingIDs()
        let http = try await HTTPHarness(store, mappers: Loans.mappers) { manager, clock in
            LoansAPI(manager, ids: ids) { clock.now }
        }
        var callers: [String: HTTPTranscriptPlayer<LoansAPI>.Caller] = [:]
        for name in ["ann", "bob"] {
            let manager = http.api.service.manager
            let member = try Member(id: ids.next(), name: name, isLibrarian: name == "ann")
            try await manager.create(member)
            let tokens = AccessTokens(manager: manager, prefix: Loans.identity.tokenPrefix) { http.clock.now }
            let secret = try await tokens.issue(to: member.id.rawValue, label: "test").secret.text
            callers[name] = .init(id: member.id.description, token: secret)
        }
        return HTTPTranscriptPlayer(http, callers: callers)
    }

    @Test(arguments: files, Transcripts.isRewriting ? [.memory] : StoreKind.allCases)
    func `the service answers as the transcript says`(file: String, kind: StoreKind) async throws {
        var transcript = try HTTPTranscript(file: file)
        let findings = try await kind.withStore(try MapperSet(Loans.mappers).schemas) { store in
            try await transcript.play(try await player(store), isRewriting: Transcripts.isRewriting)
        }
        #expect(findings == [])
        if Transcripts.isRewriting { try transcript.write(to: file) }
    }

    @Test func `the document describes each route, and nothing names the kit`() async throws {
        let schemas = try MapperSet(Loans.mappers).schemas
        try await StoreKind.memory.withStore(schemas) { store in
            let http = try await player(store).http
            let coverage = RouteCoverage(routes: http.routes, document: try http.api.pages().document.json)
            let transcripts = try Self.files.map(HTTPTranscript.init(file:))
            // The transcript of a newcomer shows the routes of the service, and not each status of each route.
            #expect(coverage.findings(transcripts).filter { !$0.hasSuffix("is in no transcript") } == [])
            for path in ["/docs", "/openapi.json", "/openapi.yaml", "/v1/books", "/v1/nothing", "/health/ready"] {
                let reply = try await http.send(.get, path)
                let text = "\(reply.headers) \(reply.text)".lowercased()
                #expect(!text.contains("larder"), "\(path)")
            }
        }
    }
}
