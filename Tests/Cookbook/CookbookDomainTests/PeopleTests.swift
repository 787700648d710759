import CookbookDomain
import LarderDomain
import Testing

struct PeopleTests {
    @Test(arguments: [
        "", "ann", "@", "ann@", "@example.org", "a@b@c", "ann lee@example.org", "ann@exam\u{00A0}ple.org",
        "ann@example.org\n", "a\u{0}@example.org", String(repeating: "a", count: 250) + "@b.cd",
    ])
    func `an invalid address is refused`(email: String) {
        #expect(refusedField { _ = try Things.user(email: email) } == "email")
    }

    @Test func `an address keeps its spelling and ignores case in comparisons`() throws {
        let user = try Things.user(email: "Ann.Lee+larder@Example.org")
        #expect(user.email == "Ann.Lee+larder@Example.org")
        #expect(user.foldedEmail == "ann.lee+larder@example.org")
    }

    @Test func `names are not blank and not too long`() {
        #expect(refusedField { _ = try Things.user(firstName: " ") } == "firstName")
        #expect(refusedField { _ = try Things.user(lastName: String(repeating: "x", count: 101)) } == "lastName")
    }

    @Test func `a session has from one to a thousand repetitions`() throws {
        for bad in [Int.min, -1, 0, 1_001, Int.max] {
            #expect(refusedField { _ = try Things.session(repetitions: bad) } == "repetitions")
        }
        #expect(try Things.session(repetitions: 1_000).repetitions == 1_000)
    }

    @Test func `a refusal uses the entity name of other errors`() throws {
        let refused = #expect(throws: InvalidField.self) { _ = try Things.session(repetitions: 0) }
        #expect(refused?.entity == "cooking_session")
        #expect(refused?.entity == CookingSession.entityName)
    }
}
