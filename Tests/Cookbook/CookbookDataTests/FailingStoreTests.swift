import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import LarderInfrastructure
import Synchronization
import Testing

struct FailingStoreTests {
    private let full = PersistencyError.unavailable(Unavailable(.full, "the disk is full"))

    @Test func `a merge whose commit fails changes nothing`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        try await fixture.add(.make("a", tags: ["old"]), .make("b", tags: ["new"]))
        let (old, new) = (try await fixture.tag("old").id, try await fixture.tag("new").id)
        script.failCommit(number: script.commits.count + 1, with: full)
        let error = await #expect(throws: PersistencyError.self) {
            try await MergeTags(storage: fixture.storage).execute(.init(old, into: new))
        }
        #expect(error?.kind == "unavailable")
        #expect(try await fixture.tagNames(of: "a") == ["old"])
    }

    @Test func `a merge includes a recipe that receives the old tag concurrently`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        try await fixture.add(.make("a", tags: ["old"]), .make("b", tags: ["new"]))
        let (old, new) = (try await fixture.tag("old").id, try await fixture.tag("new").id)
        let isFirst = Mutex(true)
        script.beforeCommit { changes in
            guard !changes.deletes.isEmpty,
                isFirst.withLock({ first in
                    defer { first = false }; return first
                })
            else { return }
            _ = try? await fixture.importRecipes.execute(.init([.make("late", tags: ["old"])]))
        }
        #expect(try await MergeTags(storage: fixture.storage).execute(.init(old, into: new)) == 2)
        #expect(try await fixture.tagNames(of: "late") == ["new"])
        #expect(try await fixture.repositories.tags.read().items.map(\.name) == ["new"])
    }

    @Test func `a rating survives a concurrent change of another property`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        let recipe = try await fixture.add(.make("a"))[0]
        let isFirst = Mutex(true)
        script.beforeCommit { _ in
            guard
                isFirst.withLock({ first in
                    defer { first = false }; return first
                })
            else { return }
            _ = try? await fixture.importRecipes.execute(.init([.make("a") { $0.summary = "Changed" }]))
        }
        try await RateRecipe(storage: fixture.storage).execute(.init(recipe: recipe.id, rating: 5))
        let stored = try await fixture.recipe("a")
        #expect(stored.rating == 5)
        #expect(stored.summary == "Changed")
    }

    @Test func `an import stops when the store fails, and keeps the earlier batches`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        script.failCommit(number: 2, with: full)
        let drafts = (0..<ImportRecipes.batchSize + 70).map { RecipeDraft.make("r\($0)") }
        let error = await #expect(throws: PersistencyError.self) {
            try await fixture.importRecipes.execute(.init(drafts))
        }
        #expect(error?.kind == "unavailable")
        #expect(try await fixture.repositories.recipes.read().items.count == ImportRecipes.batchSize)
    }

    @Test func `the items of a refused batch are retried one by one`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        let refusal = PersistencyError.invalid(InvalidField(entity: "Recipe", field: "name", reason: "must not"))
        script.failCommit(number: 1, with: refusal)
        script.failCommit(number: 3, with: refusal)
        let outcomes = try await fixture.importRecipes.execute(.init([.make("a"), .make("b"), .make("c")]))
        #expect(outcomes.map { $0.failure == nil } == [true, false, true])
        #expect(try await fixture.repositories.recipes.list(.init()).items.map(\.name) == ["A", "C"])
    }
}
