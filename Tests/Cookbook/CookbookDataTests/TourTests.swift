import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

/// The statements of `docs/tour.md` about change sets and conditions.
struct TourTests {
    @Test func `a rating updates one column, expecting the version that was read`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        let soup = try await fixture.add(.make("soup"))[0]
        try await RateRecipe(storage: fixture.storage).execute(.init(recipe: soup.id, rating: 4))

        let changes = try #require(script.commits.last)
        #expect(changes.inserts.isEmpty && changes.deletes.isEmpty && changes.reads.isEmpty)
        let update = try #require(changes.updates.first)
        #expect(changes.updates.count == 1)
        #expect(update.expected == 1)
        #expect(update.changes.columns.map(\.value) == [.integer(4)])
        #expect(update.changes.links.isEmpty && update.changes.children.isEmpty)
    }

    @Test func `a list of quick recipes by time has one comparison and two sort columns`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        let request = RecipeListRequest(RecipeFilter(underMinutes: 30), sort: .time)
        _ = try await fixture.repositories.recipes.list(request)

        guard case .query(let query)? = script.calls.last else { return #expect(Bool(false), "no query") }
        let column = try #require(RecipeMapper.schema.columns.firstIndex { $0.name == "total_minutes" })
        let limit = Operand.literal(.integer(30))
        #expect(query.condition == .compare(.coalesce(.column(column), limit), .less, limit))
        #expect(query.order.count == 2)
    }

    @Test func `the first cooking of a recipe writes three roots, and the next one writes two`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        let soup = try await fixture.add(.make("soup"))[0]
        let (repositories, ids) = (fixture.repositories, fixture.ids)
        let ada = try User(id: ids.next(), email: "ada@example.org", firstName: "Ada", lastName: "Cook", role: .cook)
        let cookbook = try Cookbook(id: ids.next(), owner: ada.id, name: "Ada's")
        try await repositories.users.create(ada)
        try await repositories.cookbooks.create(cookbook)
        let cook = CookRecipe(storage: fixture.storage, ids: ids, now: { Timestamp(microseconds: 42) })

        for (written, read) in [(["cookbook", "recipe"], ["user"]), (["cookbook"], ["user", "recipe"])] {
            try await cook.execute(.init(user: ada.id, recipe: soup.id, cookbook: cookbook.id))
            let changes = try #require(script.commits.last)
            #expect(changes.inserts.map(\.schema.name) == ["cooking_session"])
            #expect(Set(changes.updates.map(\.key.schema.name)) == Set(written))
            #expect(changes.reads.map(\.key.schema.name) == read)
            #expect(changes.deletes.isEmpty)
        }
    }
}
