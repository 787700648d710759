import Foundation
import LarderApp
import LarderHTTP
import Testing

@testable import LarderOpenID

struct OpenIDTokenTests {
    @Test func `a token of each algorithm gives its caller, with a key that the issuer is part of`() async throws {
        let keys: [TestKey] = [
            .es256("a"), .es384("b"), .eddsa("c"), try .rsa("d", "RS256"), try .rsa("e", "PS256"),
        ]
        try await TestIssuer.run(keys) { issuer in
            let door = try Doorkeeper(issuer.url)
            for key in keys {
                let reader = try await door.caller(try issuer.token(key))
                #expect(reader == Reader(key: "\(issuer.url) ann", operatorPermissions: []), "\(key.algorithm)")
            }
            #expect(issuer.fetches == 1 && door.log.text == [])
        }
    }

    @Test func `claims at a path give the roles, and other claims their values`() async throws {
        try await TestIssuer.run { issuer in
            let roles = JSON.sorted(["roles": ["librarian", "reader"]])
            let token = try issuer.token(claims: ["realm_access": roles, "aud": ["others", "books"]])
            #expect(try await Doorkeeper(issuer.url).caller(token)?.operatorPermissions == [.readMetrics])
            let claims = OpenIDClaims(
                issuer: "i", subject: "s",
                json: .sorted(["scope": "all", "level": 3, "access": JSON.sorted(["roles": ["x", "y"]])]))
            #expect(claims.texts("access", "roles") == ["x", "y"] && claims.texts("scope") == ["all"])
            #expect(claims.texts("level") == [] && claims.texts("scope", "roles") == [] && claims.texts("no") == [])
            #expect(claims.value("level") == .integer(3) && claims.value("access", "no") == nil)
            #expect(claims.key == "i s")
        }
    }

    /// A change of a valid token, and the reason that is logged.
    struct Refused: Sendable, CustomTestStringConvertible {
        let reason: String
        let testDescription: String
        let token: @Sendable (TestIssuer, TestKey) throws -> String

        init(_ reason: String, _ name: String, _ token: @escaping @Sendable (TestIssuer, TestKey) throws -> String) {
            (self.reason, testDescription, self.token) = (reason, name, token)
        }

        static func claims(_ reason: String, _ changes: [String: (any JSONConvertible & Sendable)?]) -> Refused {
            Refused(reason, "\(changes)") { issuer, key in try issuer.token(key, claims: changes.mapValues { $0 }) }
        }
    }

    private static let start = TestIssuer.start
    static let byClaims: [Refused] = [
        .claims("expired", ["exp": start - 60]), .claims("expired", ["exp": nil]), .claims("expired", ["exp": "never"]),
        .claims("not yet valid", ["nbf": start + 61]), .claims("not yet valid", ["iat": start + 61]),
        .claims("not yet valid", ["nbf": "now"]),
        .claims("audience", ["aud": "others"]), .claims("audience", ["aud": ["others", "loans2"]]),
        .claims("audience", ["aud": nil]), .claims("audience", ["aud": [String]()]),
        .claims("issuer", ["iss": "https://example.org"]), .claims("issuer", ["iss": nil]),
        Refused("issuer", "an issuer with a slash") { try $0.token($1, claims: ["iss": $0.url + "/"]) },
        .claims("subject", ["sub": nil]), .claims("subject", ["sub": ""]), .claims("subject", ["sub": "\u{212A}ate"]),
        .claims("subject", ["sub": String(repeating: "x", count: 256)]),
    ]
    static let byForm: [Refused] = [
        Refused("algorithm", "none") { try $0.token(.unsigned($1.id)) },
        Refused("algorithm", "HS256 with the JSON of the public key") {
            try $0.token(.hmac($1.id, of: Data($1.jwk.bytes())))
        },
        Refused("algorithm", "HS256 with the point of the public key") {
            let point = [$1.jwk["x"], $1.jwk["y"]].compactMap { $0?.text }.joined()
            return try $0.token(.hmac($1.id, of: Data(point.utf8)))
        },
        Refused("algorithm", "another algorithm than that of the key") { try $0.token($1, header: ["alg": "RS256"]) },
        Refused("algorithm", "the algorithm of another curve") { try $0.token($1, header: ["alg": "ES384"]) },
        Refused("algorithm", "no algorithm") { try $0.token($1, header: ["alg": nil]) },
        Refused("signature", "another key of the same id") { try $0.token(.es256($1.id)) },
        Refused("signature", "no signature") { issuer, key in
            try issuer.token(key).split(separator: ".").dropLast().joined(separator: ".") + "."
        },
        Refused("signature", "other claims") { issuer, key in
            let (own, other) = (try issuer.token(key), try issuer.token(key, claims: ["sub": "bob"]))
            return zip(own.split(separator: "."), other.split(separator: ".")).enumerated()
                .map { $0 == 1 ? $1.1 : $1.0 }.joined(separator: ".")
        },
        Refused("unknown key", "an unknown id") { try $0.token($1, header: ["kid": "z"]) },
        Refused("unknown key", "no id, with two keys") { try $0.token($1, header: ["kid": nil]) },
        Refused("malformed", "an id that is no text") { try $0.token($1, header: ["kid": 1]) },
        Refused("malformed", "a critical extension") { try $0.token($1, header: ["crit": ["b64"], "b64": false]) },
        Refused("malformed", "a claim twice") { issuer, key in
            try TestIssuer.signed(
                JSON.sorted(["alg": key.algorithm, "kid": key.id]).bytes(),
                Array(#"{"iss":"\#(issuer.url)","aud":"loans","exp":\#(start + 9),"sub":"ann","sub":"bob"}"#.utf8), key)
        },
        Refused("malformed", "no JSON") { try TestIssuer.signed(Array("{".utf8), Array("{}".utf8), $1) },
        Refused("malformed", "no token") { _, _ in "loans_1" },
        Refused("malformed", "four parts") { try $0.token($1) + ".x" },
        Refused("malformed", "another alphabet") { try $0.token($1) + "!" },
    ]

    @Test(arguments: byClaims + byForm) func `a token is refused, and the log has the reason, but no part of the token`(
        _ refused: Refused
    ) async throws {
        let keys = [TestKey.es256("a"), .es256("b")]
        try await TestIssuer.run(keys) { issuer in
            let door = try Doorkeeper(issuer.url)
            let token = try refused.token(issuer, keys[0])
            #expect(try await door.caller(token) == nil)
            #expect(try door.reasons() == [refused.reason])
            #expect(!door.log.text.contains { line in token.split(separator: ".").contains { line.contains($0) } })
            // The same without the change.
            #expect(try await door.caller(try issuer.token(keys[0])) != nil)
        }
    }

    @Test func `the clocks may differ by the skew`() async throws {
        try await TestIssuer.run { issuer in
            let start = TestIssuer.start
            let door = try Doorkeeper(issuer.url)
            #expect(try await door.caller(try issuer.token(claims: ["exp": start - 59])) != nil)
            #expect(try await door.caller(try issuer.token(claims: ["nbf": start + 60, "iat": start + 60])) != nil)
            let exact = try Doorkeeper(issuer.url) { $0.clockSkew = .zero }
            #expect(try await exact.caller(try issuer.token(claims: ["exp": start])) == nil)
            #expect(try await exact.caller(try issuer.token(claims: ["nbf": start + 1])) == nil)
            let token = try issuer.token(claims: ["exp": Double(start) + 0.5, "nbf": start])
            #expect(try await exact.caller(token) != nil)
            exact.clock.advance(seconds: 1)
            #expect(try await exact.caller(token) == nil)
        }
    }

    @Test func `a token without the id of a key is accepted if there is one key`() async throws {
        for key in [TestKey.es256("a"), .es256(nil)] {
            try await TestIssuer.run([key]) { issuer in
                let token = try issuer.token(header: ["kid": nil])
                #expect(try await Doorkeeper(issuer.url).caller(token) != nil)
            }
        }
    }

    @Test func `keys for another use, of an unknown type, and invalid ones are ignored`() async throws {
        var sealing = try TestKey.rsa("sealing", "RS256")
        sealing.members["use"] = "enc"
        var other = TestKey.es256("other")
        other.members["alg"] = "ES384"
        var invalid = TestKey.es256("invalid")
        invalid.members["x"] = "AAAA"
        var future = TestKey.es256("future")
        future.members["kty"] = "new"
        var key = TestKey.es256("a")
        (key.members["use"], key.members["alg"]) = ("sig", "ES256")
        try await TestIssuer.run([sealing, other, invalid, future, key]) { issuer in
            let door = try Doorkeeper(issuer.url)
            for key in [sealing, other, invalid, future] {
                #expect(try await door.caller(try issuer.token(key)) == nil, "\(key.id ?? "")")
            }
            #expect(try await door.caller(try issuer.token(key, header: ["kid": nil])) != nil)
        }
    }

    @Test func `the service refuses callers, and permits fewer algorithms`() async throws {
        try await TestIssuer.run { issuer in
            let door = try Doorkeeper(issuer.url)
            #expect(try await door.caller(try issuer.token(claims: ["sub": "eve"])) == nil)
            #expect(try door.log.objects().map(\.message) == ["token without a caller"])
            let strict = try Doorkeeper(issuer.url) { $0.algorithms = [.eddsa] }
            #expect(try await strict.caller(try issuer.token()) == nil)
            #expect(try strict.reasons() == ["algorithm"] && issuer.fetches == 1)
        }
    }
}
