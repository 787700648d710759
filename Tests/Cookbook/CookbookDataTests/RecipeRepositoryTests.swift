import CookbookData
import CookbookDomain
import LarderDomain
import Testing

struct RecipeRepositoryTests {
    private func fixture() async throws -> CookbookFixture {
        let fixture = try CookbookFixture()
        try await fixture.add(
            .make("goulash", tags: ["meat", "Hungarian"]) { ($0.preparationMinutes, $0.cookingMinutes) = (20, 120) },
            .make("salad", tags: ["Fresh"]) { $0.preparationMinutes = 10 },
            .make("crème", tags: ["fresh", "meat"]) { $0.cookingMinutes = 30 },
            .make("mystery"))
        return fixture
    }

    private func names(_ request: RecipeListRequest, in fixture: CookbookFixture) async throws -> [String] {
        try await fixture.repositories.recipes.list(request).items.map(\.name)
    }

    @Test func `recipes of unknown duration match no limit of minutes`() async throws {
        let fixture = try await fixture()
        #expect(try await names(.init(.init(underMinutes: 30), sort: .stored), in: fixture) == ["Salad"])
        #expect(try await names(.init(.init(underMinutes: 31), sort: .time), in: fixture) == ["Salad", "Crème"])
        #expect(try await names(.init(.init(underMinutes: .max)), in: fixture).count == 3)
    }

    @Test func `a search by name ignores case and diacritics`() async throws {
        let fixture = try await fixture()
        #expect(try await names(.init(.init(nameContains: "ÈME")), in: fixture) == ["Crème"])
        #expect(try await names(.init(.init(nameContains: "EMÉ")), in: fixture) == ["Crème"])
        #expect(try await names(.init(.init(nameContains: "")), in: fixture).count == 4)
        #expect(try await fixture.repositories.recipes.named("SALAD").map(\.name) == ["Salad"])
    }

    @Test func `a search finds words of names, ingredients and steps in the order of their weights`() async throws {
        let fixture = try CookbookFixture()
        try await fixture.add(
            .make("soup") { $0.steps = [.init(text: "Fry the crème.")] },
            .make("salad") { $0.ingredients = [.init(text: "Crème fraîche")] },
            .make("creme") { $0.steps = [.init(text: "Stir.")] }, .make("mystery"))
        #expect(try await names(.init(search: "CREME"), in: fixture) == ["Creme", "Salad", "Soup"])
        #expect(try await names(.init(search: "crèm* fry"), in: fixture) == ["Soup"])
        #expect(try await names(.init(.init(nameContains: "SAL"), search: "creme"), in: fixture) == ["Salad"])
        #expect(try await names(.init(search: "creme stir soup"), in: fixture) == [])
    }

    @Test func `any of several tags matches, and no tags match nothing`() async throws {
        let fixture = try await fixture()
        let found = try await fixture.repositories.tags.named(["HUNGARIAN", "fresh", "other"]).map(\.id)
        #expect(found.count == 2)
        #expect(try await names(.init(.init(anyOfTags: found)), in: fixture) == ["Crème", "Goulash", "Salad"])
        #expect(try await names(.init(.init(anyOfTags: [])), in: fixture) == [])
    }

    @Test func `all parts of a filter apply`() async throws {
        let fixture = try await fixture()
        let meat = try await fixture.tag("meat").id
        let filter = RecipeFilter(anyOfTags: [meat], underMinutes: 60, nameContains: "c")
        #expect(try await names(.init(filter), in: fixture) == ["Crème"])
    }

    @Test(arguments: [
        (RecipeSort.name, ["Crème", "Goulash", "Mystery", "Salad"]),
        (.stored, ["Goulash", "Salad", "Crème", "Mystery"]),
        (.time, ["Mystery", "Salad", "Crème", "Goulash"]),
        (.rating, ["Crème", "Goulash", "Mystery", "Salad"]),
        (.published, ["Crème", "Goulash", "Mystery", "Salad"]),
    ])
    func `every sort order supports paging`(sort: RecipeSort, expected: [String]) async throws {
        let fixture = try await fixture()
        var request = RecipeListRequest(sort: sort, limit: 1, includesTotal: true)
        var found: [String] = []
        repeat {
            let page = try await fixture.repositories.recipes.list(request)
            #expect(page.total == 4)
            found += page.items.map(\.name)
            request.after = page.next
        } while request.after != nil
        #expect(found == expected)
    }

    @Test func `tags are listed with the number of their recipes`() async throws {
        let fixture = try await fixture()
        _ = try await fixture.repositories.tags.create(Tag(id: fixture.ids.next(), name: "unused"))
        let counts = try await fixture.repositories.tags.withRecipeCounts()
        let lines = counts.map { "\($0.tag.name) \($0.recipes)" }
        #expect(lines == ["Fresh 2", "Hungarian 1", "meat 2", "unused 0"])
    }
}
