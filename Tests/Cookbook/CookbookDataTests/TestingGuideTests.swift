import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

/// The tests that `docs/testing.md` shows.
struct TestingGuideTests {
    @Test func `a rating is stored, and repeating it writes nothing`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        let soup = try await fixture.add(.make("soup"))[0]
        let rate = RateRecipe(storage: fixture.storage)

        #expect(try await rate.execute(.init(recipe: soup.id, rating: 4)).outcome == .updated)
        let written = script.commits.count { !$0.isEmpty }

        #expect(try await rate.execute(.init(recipe: soup.id, rating: 4)).outcome == .unchanged)
        #expect(script.commits.count { !$0.isEmpty } == written)
    }

    @Test func `a rating whose commit fails is not stored, and a retry succeeds`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        let soup = try await fixture.add(.make("soup"))[0]
        let rate = RateRecipe(storage: fixture.storage)
        let full = PersistencyError.unavailable(Unavailable(.full, "the disk is full"))
        script.failCommit(number: script.commits.count + 1, with: full)

        let error = await #expect(throws: PersistencyError.self) {
            try await rate.execute(.init(recipe: soup.id, rating: 4))
        }
        guard case .unavailable(let trouble)? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(trouble.reason == .full)
        #expect(try await fixture.recipe("soup").rating == 0)

        try await rate.execute(.init(recipe: soup.id, rating: 4))
        #expect(try await fixture.recipe("soup").rating == 4)
    }

    @Test func `a rating and a concurrent change are both kept`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        let soup = try await fixture.add(.make("soup"))[0]
        script.interfere {
            _ = try await fixture.importRecipes.execute(.init([.make("soup") { $0.summary = "With leeks" }]))
        }

        try await RateRecipe(storage: fixture.storage).execute(.init(recipe: soup.id, rating: 4))

        let stored = try await fixture.recipe("soup")
        #expect(stored.rating == 4)
        #expect(stored.summary == "With leeks")
    }

    @Test func `a rating that exhausts its retries reports the conflict`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        let soup = try await fixture.add(.make("soup"))[0]
        let patience = RetryPolicy(attempts: 3, sleep: { _ in })
        let manager = StoreManager(fixture.store, mappers: try MapperSet(CookbookMappers.all), retry: patience)
        let storage = CookbookStorage(manager: manager) { CookbookRepositories(manager: $0) }
        script.interfere(times: patience.attempts) {
            let summary = "Changed \(script.commits.count) times"
            _ = try await fixture.importRecipes.execute(.init([.make("soup") { $0.summary = summary }]))
        }

        let error = await #expect(throws: PersistencyError.self) {
            try await RateRecipe(storage: storage).execute(.init(recipe: soup.id, rating: 4))
        }
        guard case .conflict(let conflict)? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect((conflict.mine as? Recipe)?.rating == 4)
        #expect((conflict.theirs as? Recipe)?.rating == 0)
    }
}
