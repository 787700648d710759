import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import Testing

struct AccessTokensTests {
    private static let day: Int64 = 86_400

    private func refusal(_ check: TokenCheck) -> TokenRefusal? {
        if case .refused(let reason) = check { reason } else { nil }
    }

    @Test func `a token that was issued is recognised by its secret, with one point read`() async throws {
        let service = try await Service()
        let ann = try await service.addPerson()
        let (secret, token) = try await service.tokens.issue(to: ann.id.rawValue, label: "oven")
        #expect(token.subject == ann.id.rawValue && token.label == "oven" && token.revokedAt == nil)
        #expect(token.createdAt == service.clock.read())
        #expect(token.expiresAt.microseconds - token.createdAt.microseconds == 90 * Self.day * 1_000_000)
        let calls = service.script.calls.count
        #expect(try await service.tokens.check(secret.text).token == token)
        #expect(service.script.calls.count == calls + 1)
    }

    @Test func `the store has the secret in no form`() async throws {
        try await withDatabase { path in
            let service = try await Service(path: path)
            let ann = try await service.addPerson()
            let (secret, token) = try await service.tokens.issue(to: ann.id.rawValue, label: "oven")
            await service.store.close()
            let bytes = Array(secret.text.utf8.dropFirst("loans_".utf8.count))
            let file = try fileBytes(path)
            #expect(file.contains(token.digest) && !file.contains(bytes))
        }
    }

    @Test func `malformed, unknown, expired and revoked tokens are refused, with a reason in the log`()
        async throws
    {
        let service = try await Service()
        let ann = try await service.addPerson()
        let stranger = try await Service()
        let foreign = try await stranger.tokens.issue(to: try await stranger.addPerson().id.rawValue, label: "oven")
        #expect(refusal(try await service.tokens.check("loans_")) == .malformed)
        #expect(refusal(try await service.tokens.check(foreign.secret.text)) == .unknown)

        let (secret, _) = try await service.tokens.issue(
            to: ann.id.rawValue, label: "oven", lifetime: .seconds(Self.day))
        service.clock.advance(seconds: Self.day - 1)
        #expect(try await service.tokens.check(secret.text).token != nil)
        service.clock.advance(seconds: 1)
        #expect(refusal(try await service.tokens.check(secret.text)) == .expired)

        let (other, token) = try await service.tokens.issue(to: ann.id.rawValue, label: "fridge")
        #expect(try await service.tokens.revoke(token.id).revokedAt == service.clock.read())
        #expect(refusal(try await service.tokens.check(other.text)) == .revoked)
    }

    @Test func `a digest that agrees in its first half alone is not recognised`() async throws {
        let service = try await Service()
        let ann = try await service.addPerson()
        let (secret, token) = try await service.tokens.issue(to: ann.id.rawValue, label: "oven")
        var object = try PersonTokenMapper.storageObject(from: token)
        guard case .blob(var digest) = object.values[0] else { return #expect(Bool(false)) }
        digest[31] ^= 1
        object.values[0] = .blob(digest)
        try await service.manager.delete(token.id)
        _ = try await service.store.commit(ChangeSet(inserts: [object]))
        #expect(refusal(try await service.tokens.check(secret.text)) == .unknown)
    }

    @Test func `revoking again writes nothing, and of nothing is not found`() async throws {
        let service = try await Service()
        let ann = try await service.addPerson()
        let (_, token) = try await service.tokens.issue(to: ann.id.rawValue, label: "oven")
        let revoked = try await service.tokens.revoke(token.id)
        service.clock.advance(seconds: 60)
        #expect(try await service.tokens.revoke(token.id) == revoked)
        #expect(try await service.manager.require(token.id).version == 2)
        let error = await #expect(throws: PersistencyError.self) {
            try await service.tokens.revoke(EntityID(RawID(high: 1, low: 1)))
        }
        #expect(error?.kind == "notFound")
    }

    @Test func `the tokens of one person are listed, the latest first`() async throws {
        let service = try await Service()
        let (ann, bob) = (try await service.addPerson("Ann"), try await service.addPerson("Bob"))
        for label in ["oven", "fridge"] {
            _ = try await service.tokens.issue(to: ann.id.rawValue, label: label)
            _ = try await service.tokens.issue(to: bob.id.rawValue, label: label + " of Bob")
            service.clock.advance(seconds: 1)
        }
        #expect(try await service.tokens.issued(to: ann.id.rawValue).map(\.label) == ["fridge", "oven"])
    }

    private static let refused: [(String, Int64, String)] = [
        ("", 1, "label"), ("  ", 1, "label"), ("a\nb", 1, "label"), (String(repeating: "a", count: 101), 1, "label"),
        ("oven", 0, "expiresAt"), ("oven", -5, "expiresAt"), ("oven", 365 * 86_400 + 1, "expiresAt"),
        ("oven", .max, "expiresAt"),
    ]

    @Test(arguments: refused)
    func `a label or lifetime out of bounds is refused by name`(
        label: String, seconds: Int64, field: String
    ) async throws {
        let service = try await Service()
        let ann = try await service.addPerson()
        let error = await #expect(throws: InvalidField.self) {
            try await service.tokens.issue(to: ann.id.rawValue, label: label, lifetime: .seconds(seconds))
        }
        #expect(error?.field == field)
        #expect(try await service.tokens.issued(to: ann.id.rawValue).isEmpty)
    }

    @Test(arguments: [false, true])
    func `with a person the person's tokens go, in the same commit`(onSQLite: Bool) async throws {
        try await withDatabase { path in
            let service = try await Service(path: onSQLite ? path : nil)
            let (ann, bob) = (try await service.addPerson("Ann"), try await service.addPerson("Bob"))
            let secrets = [
                try await service.tokens.issue(to: ann.id.rawValue, label: "oven").secret,
                try await service.tokens.issue(to: ann.id.rawValue, label: "fridge").secret,
            ]
            let kept = try await service.tokens.issue(to: bob.id.rawValue, label: "oven")
            let commits = service.script.commits.count
            try await service.manager.delete(ann.id)
            if !onSQLite { #expect(service.script.commits.count == commits + 1) }
            for secret in secrets { #expect(refusal(try await service.tokens.check(secret.text)) == .unknown) }
            #expect(try await service.tokens.check(kept.secret.text).token == kept.token)
            await service.store.close()
        }
    }

    @Test func `a user who is not stored gets no token`() async throws {
        let service = try await Service()
        let error = await #expect(throws: PersistencyError.self) {
            try await service.tokens.issue(to: RawID(high: 1, low: 1), label: "oven")
        }
        #expect(error?.kind == "dangling")
    }

    @Test func `tokens that expired long ago are purged, a hundred at a time`() async throws {
        let service = try await Service()
        let ann = try await service.addPerson()
        for number in 0..<101 {
            _ = try await service.tokens.issue(
                to: ann.id.rawValue, label: "\(number)", lifetime: .seconds(Self.day))
        }
        service.clock.advance(seconds: 30 * Self.day)
        let recent = try await service.tokens.issue(
            to: ann.id.rawValue, label: "recent", lifetime: .seconds(Self.day))
        #expect(try await service.tokens.purge() == 0)
        service.clock.advance(seconds: Self.day + 1)
        #expect(try await service.tokens.purge() == 100)
        #expect(try await service.tokens.purge() == 1)
        #expect(try await service.tokens.purge() == 0)
        #expect(try await service.tokens.issued(to: ann.id.rawValue) == [recent.token])
    }
}
