import LarderApp
import LarderHTTP
import LarderTesting
import Synchronization
import Testing

@testable import LarderOpenID

@Suite(.timeLimit(.minutes(5))) struct OpenIDKeysTests {
    /// A failure of the issuer, and the reason that is logged.
    struct Failure: Sendable, CustomTestStringConvertible {
        let name: String
        let path: String
        let reason: OpenIDError
        /// The limit that the issuer exceeds.
        var timeLimit: Duration?
        let answer: @Sendable (TestIssuer) -> TestIssuer.Answer

        var testDescription: String { "\(path): \(name)" }

        init(
            _ name: String, at path: String, _ reason: OpenIDError, timeLimit: Duration? = nil,
            _ answer: @escaping @Sendable (TestIssuer) -> TestIssuer.Answer
        ) {
            (self.name, self.path, self.reason, self.timeLimit, self.answer) = (name, path, reason, timeLimit, answer)
        }
    }

    private static let (metadata, jwks) = (TestIssuer.metadata, TestIssuer.jwks)
    private static let manyKeys = #"{"keys":[{}"# + String(repeating: ",{}", count: 100) + "]}"
    static let failures: [Failure] =
        [metadata, jwks].flatMap { path in
            [
                Failure("404", at: path, .status(404)) { _ in .status(404) },
                Failure("a redirect to a loopback address", at: path, .status(302)) { _ in .redirect },
                Failure("10 MB", at: path, .tooLarge) { _ in .pieces(160) },
                Failure("silence", at: path, .timedOut, timeLimit: .milliseconds(50)) { _ in .silence },
                Failure("silence after the head", at: path, .timedOut, timeLimit: .milliseconds(50)) { _ in .head },
                Failure("no JSON", at: path, .invalidDocument("line 1, column 1: a value is expected")) { _ in
                    .text("x")
                },
            ]
        } + [
            Failure("no keys", at: jwks, .invalidDocument("no list 'keys'")) { _ in .text("{}") },
            Failure("101 keys", at: jwks, .invalidDocument("too many keys")) { _ in .text(manyKeys) },
            Failure("no issuer", at: metadata, .otherIssuer) { _ in .text("{}") },
            Failure("another issuer", at: metadata, .otherIssuer) { .text($0.metadata(issuer: $0.url + "/")) },
            Failure("a file", at: metadata, .invalidDocument("jwks_uri is no URL with https")) {
                .text($0.metadata(keys: "file:///etc/passwd"))
            },
        ]

    @Test(arguments: failures) func `without keys, validity is unknown until the issuer answers`(
        _ failure: Failure
    )
        async throws
    {
        try await TestIssuer.run { issuer in
            let door = try Doorkeeper(issuer.url) { $0.timeLimit = failure.timeLimit ?? $0.timeLimit }
            issuer.answers.withLock { $0[failure.path] = failure.answer(issuer) }
            let token = try issuer.token()
            #expect(try await door.retryAfter(token) == "10")
            #expect(try door.reasons() == ["\(failure.reason)"])
            let requests = issuer.requests.withLock(\.self)
            // With a limit of time, a busy machine may not reach the second document.
            if failure.timeLimit == nil {
                #expect(requests == (failure.path == Self.jwks ? [Self.metadata, Self.jwks] : [Self.metadata]))
            }
            door.wait(seconds: 9)
            #expect(try await door.retryAfter(token) == "1")
            #expect(issuer.requests.withLock(\.self) == requests)
            // A token that no key could make valid needs none.
            #expect(try await door.caller("loans_1") == nil)
            guard failure.timeLimit == nil else { return }
            issuer.answers.withLock { $0 = [:] }
            door.wait(seconds: 1)
            #expect(try await door.caller(token) != nil)
        }
    }

    @Test func `an issuer that cannot be reached is a failure, too`() async throws {
        // Nothing listens on this port.
        let door = try Doorkeeper("http://127.0.0.1:1")
        try await TestIssuer.run { issuer in
            let token = try issuer.token()
            #expect(try await door.retryAfter(token) == "10")
            #expect(try door.reasons().first?.hasPrefix("the fetch failed: ") == true)
        }
    }

    @Test func `keys are fetched again when they are old, and used for a day while that fails`() async throws {
        try await TestIssuer.run { issuer in
            let door = try Doorkeeper(issuer.url)
            let token = try issuer.token()
            #expect(try await door.caller(token) != nil)
            door.wait(seconds: 299)
            #expect(try await door.caller(token) != nil && issuer.fetches == 1)
            issuer.answers.withLock { $0[Self.jwks] = .status(500) }
            door.wait(seconds: 1)
            #expect(try await door.caller(token) != nil && issuer.fetches == 2)
            #expect(try door.reasons() == ["\(OpenIDError.status(500))"])
            // A key that may be new makes validity unknown.
            #expect(try await door.retryAfter(try issuer.token(.es256("new"))) == "10")
            // While fetches fail, no token with a known key waits for one.
            await issuer.gate.close()
            door.wait(seconds: 10)
            #expect(try await door.caller(token) != nil)
            await issuer.gate.arrival()
            #expect(try await door.caller(token) != nil)
            await issuer.gate.open()
            try await until { issuer.fetches == 3 && (try? door.reasons().count) == 2 }
            door.wait(seconds: 86_400 - 311)
            #expect(try await door.caller(token) != nil)
            try await until { (try? door.reasons().count) == 3 }
            door.wait(seconds: 1)
            #expect(try await door.retryAfter(token) != nil)
            issuer.answers.withLock { $0 = [:] }
            door.wait(seconds: 10)
            #expect(try await door.caller(token) != nil)
        }
    }

    @Test func `keys change under load: one fetch for all, and the removed key is refused when keys are old`()
        async throws
    {
        let (old, new) = (TestKey.es256("old"), TestKey.es256("new"))
        try await TestIssuer.run([old]) { issuer in
            // Without an interval, only sharing bounds the fetches.
            let door = try Doorkeeper(issuer.url) { $0.minimumInterval = .zero }
            let tokens = [try issuer.token(old), try issuer.token(new)]
            #expect(try await door.caller(tokens[0]) != nil)
            issuer.keys.withLock { $0 = [old, new] }
            await issuer.gate.close()
            let callers = try await withThrowingTaskGroup(of: Reader?.self) { group in
                for token in 0..<200 { group.addTask { try await door.caller(tokens[token % 2]) } }
                await issuer.gate.arrival()
                // Tokens of the old key do not wait.
                for _ in 0..<100 { #expect(try await group.next() != .some(nil)) }
                await issuer.gate.open()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(callers.count == 100 && callers.allSatisfy { $0 != nil } && issuer.fetches == 2)
            issuer.keys.withLock { $0 = [new] }
            #expect(try await door.caller(tokens[0]) != nil)
            door.wait(seconds: 300)
            #expect(try await door.caller(tokens[1]) != nil)
            #expect(try await door.caller(tokens[0]) == nil)
            #expect(try door.reasons() == ["unknown key"])
        }
    }

    @Test func `clients with unknown keys cause one fetch in an interval, and no wait for others`() async throws {
        try await TestIssuer.run { issuer in
            let door = try Doorkeeper(issuer.url)
            let token = try issuer.token()
            for round in 1...3 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for id in 0..<50 {
                        group.addTask {
                            let unknown = try issuer.token(header: ["kid": "\(id)"])
                            #expect(try await door.caller(unknown) == nil)
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await door.caller(token) != nil && issuer.fetches == round)
                door.wait(seconds: 10)
            }
        }
    }

    @Test func `a configuration needs a secure issuer and an audience`() throws {
        for issuer in [
            "", "example.org", "http://example.org", "ftp://example.org", "https://", "https://a:b@example.org",
            "https://example.org?x", "https://example.org#x", "https://exämple.org", "https://example.org/ x",
        ] {
            #expect(throws: OpenIDError.invalidIssuer, "\(issuer)") {
                try OpenIDConfiguration(issuer: issuer, audiences: ["a"])
            }
        }
        for audiences: Set<String> in [[], ["a", ""]] {
            #expect(throws: OpenIDError.noAudience) {
                try OpenIDConfiguration(issuer: "https://example.org", audiences: audiences)
            }
        }
        let configuration = try OpenIDConfiguration(issuer: "https://example.org/realms/a/", audiences: ["a"])
        #expect(!configuration.permitsHTTP && configuration.issuer == "https://example.org/realms/a/")
        #expect(!OpenIDConfiguration.isAddress("http://example.org/keys", permitsHTTP: false))
    }
}
