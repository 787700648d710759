import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderTesting
import Testing

struct ImportRecipesTests {
    private let soup = RecipeDraft.make("soup", tags: ["Hot", "hot", "Hot"]) {
        $0.steps = [.init(text: "Boil"), .init(text: "Serve", timerSeconds: 60)]
        $0.ingredients = [.init(text: "Water"), .init(text: "Salt", quantity: 1, unit: "tsp")]
        $0.judgement.rating = 4
    }

    @Test func `a new recipe has all properties of the draft`() async throws {
        let fixture = try CookbookFixture()
        let recipe = try await fixture.add(soup)[0]
        #expect(recipe.name == "Soup")
        #expect(recipe.steps.map(\.text) == ["Boil", "Serve"])
        #expect(recipe.steps[1].timerSeconds == 60)
        #expect(recipe.ingredients[1].unit == "tsp")
        #expect(recipe.rating == 4)
        #expect(recipe.createdAt == Timestamp(microseconds: 42))
        #expect(try await fixture.tagNames(of: "soup") == ["Hot"])
    }

    @Test func `a repeated import writes nothing`() async throws {
        let fixture = try CookbookFixture()
        try await fixture.add(soup)
        let written = await fixture.store.feature((any MeasuredStore).self)?.measurements().rowsWritten
        let outcomes = try await fixture.importRecipes.execute(.init([soup]))
        guard case .unchanged = outcomes[0] else { throw CookbookFixture.Missing(what: "unchanged") }
        #expect(await fixture.store.feature((any MeasuredStore).self)?.measurements().rowsWritten == written)
    }

    @Test func `a local rating survives a reimport of the recipe`() async throws {
        let fixture = try CookbookFixture()
        let recipe = try await fixture.add(soup)[0]
        try await RateRecipe(storage: fixture.storage).execute(.init(recipe: recipe.id, rating: 1))
        var changed = soup
        changed.summary = "Better"
        #expect(try await fixture.add(changed)[0].rating == 1)
        #expect(try await fixture.recipe("soup").summary == "Better")
    }

    @Test func `properties missing from the source are kept, and children keep their ids`() async throws {
        let fixture = try CookbookFixture()
        let first = try await fixture.add(soup)[0]
        let second = try await fixture.add(
            .make("soup") { $0.steps = [.init(text: "Serve"), .init(text: "Boil well"), .init(text: "Eat")] })[0]
        #expect(second.ingredients == first.ingredients)
        #expect(second.tags == first.tags)
        #expect(second.steps.map(\.text) == ["Serve", "Boil well", "Eat"])
        #expect(second.steps[0].id == first.steps[1].id)
        #expect(second.steps[0].timerSeconds == 60)
        #expect(!first.steps.map(\.id).contains(second.steps[2].id))
    }

    @Test func `a quantity is removed when its text changes`() async throws {
        let fixture = try CookbookFixture()
        let first = try await fixture.add(soup)[0]
        let second = try await fixture.add(
            .make("soup") { $0.ingredients = [.init(text: "Water"), .init(text: "Pepper")] })[0]
        #expect(second.ingredients[1].id == first.ingredients[1].id)
        #expect(second.ingredients[1].quantity == nil)
    }

    @Test func `one invalid draft does not affect the others`() async throws {
        let fixture = try CookbookFixture()
        let bad = RecipeDraft(sourceIdentifier: "bad", name: "")
        let outcomes = try await fixture.importRecipes.execute(.init([.make("a"), bad, .make("b", tags: [""])]))
        #expect(outcomes.map { $0.failure == nil } == [true, false, false])
        #expect(try await fixture.repositories.recipes.list(.init()).items.map(\.name) == ["A"])
        #expect(try await fixture.repositories.tags.read().items.isEmpty)
    }

    @Test func `all or nothing imports nothing if one draft is invalid`() async throws {
        let fixture = try CookbookFixture()
        let bad = RecipeDraft(sourceIdentifier: "bad", name: "")
        let rejection = await #expect(throws: ImportRejected.self) {
            try await fixture.importRecipes.execute(.init([.make("a"), bad], isAllOrNothing: true))
        }
        #expect(rejection?.failures.keys.sorted() == [1])
        #expect(try await fixture.repositories.recipes.read().items.isEmpty)
    }

    @Test func `a draft with too many tags creates no ids and no queries`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        let names = (0...Recipe.maximumTags).map { "tag \($0)" }
        let ids = CountingIDs()
        let useCase = ImportRecipes(
            storage: fixture.storage, ids: ids, now: { Timestamp(microseconds: 42) })
        let outcomes = try await useCase.execute(
            .init([.make("many", tags: names), .make("most", tags: names.dropLast() + names.dropLast())]))
        guard case .failed(.invalid(let field)) = outcomes[0], case .inserted = outcomes[1] else {
            throw CookbookFixture.Missing(what: "failed, inserted")
        }
        #expect(field == InvalidField(Recipe.self, "tags", "must have at most 1000 entries"))
        #expect(try await fixture.recipe("most").tags.count == Recipe.maximumTags)
        #expect(ids.count == Recipe.maximumTags + 1)
        let questions = script.calls.filter { if case .query = $0 { true } else { false } }.map { "\($0)" }
        #expect(questions.contains { $0.contains("tag 999") })
        #expect(!questions.contains { $0.contains("tag 1000") })
    }

    @Test func `leading and trailing whitespace does not change a draft`() async throws {
        let fixture = try CookbookFixture()
        try await fixture.add(soup)
        var blank = soup
        blank.sourceIdentifier = " soup "
        blank.tags = blank.tags.map { " \($0) " } + ["Hot"]
        for index in 0..<2 {
            blank.steps[index].text += " "
            blank.ingredients[index].text += "\n"
        }
        blank.ingredients[1].quantity = nil
        let outcomes = try await fixture.importRecipes.execute(.init([blank]))
        guard case .unchanged = outcomes[0] else { throw CookbookFixture.Missing(what: "unchanged") }
    }

    @Test func `duplicate drafts give one recipe`() async throws {
        let fixture = try CookbookFixture()
        let again = RecipeDraft.make("a") { $0.summary = "Second" }
        #expect(try await fixture.importRecipes.execute(.init([.make("a"), again])).count == 2)
        #expect(try await fixture.repositories.recipes.list(.init()).items.map(\.summary) == ["Second"])
    }

    @Test func `a recipe without a source is recognized by its id on reimport`() async throws {
        let fixture = try CookbookFixture()
        let own = try Recipe(id: fixture.ids.next(), name: "Own", createdAt: Timestamp(microseconds: 1))
        try await fixture.repositories.recipes.create(own)
        var draft = RecipeDraft(sourceIdentifier: own.outsideIdentifier, name: "Own")
        let outcomes = try await fixture.importRecipes.execute(.init([draft]))
        guard case .unchanged(own.id) = outcomes[0] else { throw CookbookFixture.Missing(what: "unchanged") }
        draft.summary = "Mine"
        _ = try await fixture.importRecipes.execute(.init([draft]))
        #expect(try await fixture.repositories.recipes.require(own.id).sourceIdentifier == nil)
    }

    @Test func `concurrent imports share recipes and tags`() async throws {
        let fixture = try CookbookFixture()
        let drafts = (0..<60).map { RecipeDraft.make("r\($0)", tags: ["t\($0 % 7)"]) }
        let importRecipes = fixture.importRecipes
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { try await importRecipes.execute(.init(drafts)).compactMap(\.failure) }
            }
            for try await failures in group { #expect(failures.isEmpty) }
        }
        #expect(try await fixture.repositories.recipes.read().items.count == 60)
        #expect(try await fixture.repositories.tags.read().items.count == 7)
    }
}
