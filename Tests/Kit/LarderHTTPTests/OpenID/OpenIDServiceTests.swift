import HTTPTypes
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import LarderTesting
import Synchronization
import Testing

struct OpenIDServiceTests {
    @Test func `while the issuer cannot be reached, only its tokens get 503`() async throws {
        try await TestIssuer.run { issuer in
            let door = try Doorkeeper(issuer.url)
            let mappers: [any EntityMapper.Type] = [
                PersonMapper.self, PersonTokenMapper.self, StoredResponseMapper.self,
            ]
            let tls = try SelfSigned().tls
            let http = try await HTTPHarness(MemoryStore(try MapperSet(mappers).schemas), mappers: mappers) {
                manager, clock in
                let tokens = AccessTokens(manager: manager, prefix: "readers_", now: { clock.now })
                let own = AccessTokenAuthenticator(tokens) { Reader(key: "\($0)", operatorPermissions: .all) }
                return ReadersAPI(
                    service: ResourceService(
                        manager: manager,
                        authenticator: EitherAuthenticator(prefix: "readers_", own, other: door.authenticator),
                        readingIsOpen: true, limits: ServerLimits(), responses: ResponseKeeper()
                    ) { _, _ in },
                    tls: tls)
            }
            let manager = http.api.service.manager
            let tokens = AccessTokens(manager: manager, prefix: "readers_", now: { http.clock.now })
            let person = Person(id: EntityID(RawID(high: 1, low: 1)), name: "Ann")
            try await manager.create(person)
            let own = try await tokens.issue(to: person.id.rawValue, label: "own").secret.text
            let restricted = try await tokens.issue(
                to: person.id.rawValue, label: "metrics", restriction: TokenRestriction([.readMetrics])
            ).secret.text
            let signed = try issuer.token()

            issuer.answers.withLock { $0[TestIssuer.metadata] = .status(500) }
            let unknown = try await http.send(.get, "/v1/me", token: signed)
            #expect(unknown.status == .serviceUnavailable && unknown.headers[.retryAfter] == "10")
            #expect(unknown.json["type"] == .string("/docs#problem-authentication-unavailable"))
            #expect(try await http.send(.get, "/v1/me").text == "nobody")
            #expect(try await http.send(.get, "/v1/me", token: own).text == "\(person.id)")
            #expect(try await http.send(.get, "/v1/me", token: restricted).status == .forbidden)
            #expect(try await http.send(.get, "/v1/me", token: "readers_" + signed).status == .unauthorized)
            issuer.answers.withLock { $0 = [:] }
            door.wait(seconds: 10)
            #expect(try await http.send(.get, "/v1/me", token: signed).text == "\(issuer.url) ann")
        }
    }
}
