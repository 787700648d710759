import CookbookDomain
import LarderDomain
import LarderStoreContract
import LarderTesting
import Testing

/// The number of statements of reads, which must not grow with the amount of data.
@Suite("Statement budgets")
struct StatementBudgetTests {
    @Test func `fetching tags by name takes one statement`() async throws {
        try await LargeCookbook.with(recipes: 10) { cookbook in
            try await expectStatements(atMost: 1, on: cookbook.store) {
                let names = (0..<LargeCookbook.tags).map { "tag \($0)" }
                let found = try await cookbook.repositories.tags.named(names)
                #expect(found.count == names.count)
            }
        }
    }

    @Test func `listing tags with recipe counts takes no statement per tag`() async throws {
        try await LargeCookbook.with(recipes: 40) { cookbook in
            try await expectStatements(atMost: 2, on: cookbook.store) {
                let counts = try await cookbook.repositories.tags.withRecipeCounts()
                #expect(counts.map(\.recipes) == Array(repeating: 4, count: LargeCookbook.tags))
            }
        }
    }

    @Test func `fetching recipes by id takes one statement per type`() async throws {
        try await LargeCookbook.with(recipes: 200) { cookbook in
            let ids = try await cookbook.repositories.recipes.read().items.map(\.id)
            for count in [1, 10, 200] {
                try await expectStatements(atMost: 6, on: cookbook.store) {
                    let found = try await cookbook.repositories.recipes.read(Array(ids.prefix(count)))
                    #expect(found.count == count)
                }
            }
        }
    }

    @Test
    func `renaming a tag takes constant statements for any number of recipes`() async throws {
        for recipes in [10, 300] {
            try await LargeCookbook.with(recipes: recipes) { cookbook in
                let tag = try #require(try await cookbook.repositories.tags.named(["tag 3"]).first)
                try await expectStatements(atMost: 8, on: cookbook.store) {
                    try await RenameTag(storage: cookbook.storage).execute(.init(tag: tag.id, name: "new"))
                }
            }
        }
    }

    @Test func `a page and a graph take as many statements for 10,000 recipes as for 1,000`() async throws {
        let start = ContinuousClock.now
        let size = RunSize.current
        let sizes = [size.of(quick: 40, ci: 1_000, prove: 1_000), size.of(quick: 200, ci: 10_000, prove: 10_000)]
        var counts: [[Int]] = []
        for recipes in sizes {
            try await LargeCookbook.with(recipes: recipes) { cookbook in
                let page = try await StatementBudget.count(on: cookbook.store) {
                    let found = try await cookbook.page(2)
                    #expect(found.all(Recipe.self).count == 2)
                }
                let graph = try await StatementBudget.count(on: cookbook.store) {
                    let found = try await cookbook.page(nil)
                    #expect(found.all(Recipe.self).count == recipes / 10)
                }
                let all = try await StatementBudget.count(on: cookbook.store) {
                    let found = try await cookbook.repositories.recipes.read()
                    #expect(found.items.count == recipes)
                }
                counts.append([page, graph, all])
            }
        }
        #expect(counts[0] == counts[1])
        print(
            RunReport(
                "statement budget, sqlite",
                figure: "page, graph and all of \(sizes[0]) and of \(sizes[1]) recipes: \(counts[1]) statements each",
                seed: nil, duration: .now - start))
    }

    @Test func `a statement per recipe is detected`() async throws {
        try await LargeCookbook.with(recipes: 30) { cookbook in
            let recipes = try await cookbook.repositories.recipes.read().items
            let findings = try await StatementBudget(atMost: 8).findings(on: cookbook.store) {
                for recipe in recipes { _ = try await cookbook.repositories.tags.read(recipe.entity.tags) }
            }
            #expect(findings == ["30 statements, and the budget is 8"])
        }
    }
}
