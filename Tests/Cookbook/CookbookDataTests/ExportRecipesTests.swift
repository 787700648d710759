import CookbookData
import CookbookDomain
import LarderDomain
import Testing

struct ExportRecipesTests {
    @Test func `every recipe is exported with its tags, in insertion order`() async throws {
        let fixture = try CookbookFixture()
        let drafts = (0..<450).map {
            RecipeDraft.make("r\($0)", tags: $0 % 2 == 1 ? ["odd", "any"] : ["any", "even"])
        }
        _ = try await fixture.importRecipes.execute(.init(drafts))
        var found: [ExportRecipes.Exported] = []
        try await ExportRecipes(storage: fixture.storage).execute { found += $0 }
        #expect(found.map(\.recipe.sourceIdentifier) == drafts.map(\.sourceIdentifier))
        #expect(found.map { $0.tags.map(\.name) } == drafts.map(\.tags))
    }

    @Test func `an export can be filtered, and rethrows the error of its receiver`() async throws {
        let fixture = try CookbookFixture()
        try await fixture.add(.make("soup"), .make("salad"))
        var names: [String] = []
        try await ExportRecipes(storage: fixture.storage).execute(.init(nameContains: "sal")) {
            names += $0.map(\.recipe.name)
        }
        #expect(names == ["Salad"])
        await #expect(throws: CookbookFixture.Missing.self) {
            try await ExportRecipes(storage: fixture.storage).execute { _ in throw CookbookFixture.Missing(what: "") }
        }
    }
}
