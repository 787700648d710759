import CookbookDomain
import LarderDomain
import LarderTesting
import Testing

/// The number of statements of use cases, including their writes, which are few or constant here.
@Suite("Statement budgets of use cases")
struct UseCaseBudgetTests {
    /// At the end of a transaction, each root that it read is checked separately; everything else costs the same for
    /// many.
    @Test func `an import of existing recipes reads them in batches, not one by one`() async throws {
        try await LargeCookbook.with(recipes: 0) { cookbook in
            let importing = ImportRecipes(storage: cookbook.storage, ids: cookbook.ids, now: { Kitchen.epoch })
            var counts: Set<Int> = []
            for count in [10, 60] {
                let drafts = (0..<count).map { number in
                    RecipeDraft.make("dish \(number)", tags: ["tag \(number % 10)"]) {
                        ($0.steps, $0.ingredients) = (
                            [.init(text: "Stir"), .init(text: "Bake")], [.init(text: "Salt")]
                        )
                    }
                }
                _ = try await importing.execute(.init(drafts, isAllOrNothing: true))
                let statements = try await StatementBudget.count(on: cookbook.store) {
                    _ = try await importing.execute(.init(drafts, isAllOrNothing: true))
                }
                counts.insert(statements - count)
            }
            #expect(counts.count == 1, "\(counts) statements beside the judging")
        }
    }

    /// A page is one read of recipes and one of tags.
    @Test func `an export reads the tags of a page in one batch`() async throws {
        for recipes in [2, 150] {
            try await LargeCookbook.with(recipes: recipes) { cookbook in
                try await expectStatements(atMost: 8, on: cookbook.store) {
                    let page = try await ExportRecipes(storage: cookbook.storage).page(.init(), after: nil)
                    #expect(page.recipes.count == min(recipes, 8))
                }
            }
        }
    }

    @Test func `cooking takes constant statements, however many recipes`() async throws {
        for recipes in [5, 200] {
            try await LargeCookbook.with(recipes: recipes) { cookbook in
                let all = try await cookbook.repositories.recipes.read().items
                let user = try User(
                    id: cookbook.ids.next(), email: "ann@example.org", firstName: "Ann", lastName: "Lee", role: .cook)
                _ = try await cookbook.repositories.users.create(user)
                let mine = try Cookbook(
                    id: cookbook.ids.next(), owner: user.id, name: "Mine", favourites: all.map(\.id),
                    history: all.map(\.id))
                _ = try await cookbook.repositories.cookbooks.create(mine)
                let cook = CookRecipe(storage: cookbook.storage, ids: cookbook.ids, now: { Kitchen.epoch })
                try await expectStatements(atMost: 22, on: cookbook.store) {
                    _ = try await cook.execute(.init(user: user.id, recipe: all[1].id, cookbook: mine.id))
                }
            }
        }
    }
}
