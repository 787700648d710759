import CookbookDomain
import LarderDomain
import LarderTesting
import Testing

struct OwnershipTests {
    @Test(arguments: StoreKind.allCases)
    func `a handover transfers everything at once, and returns counts`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let (ann, bea) = (try await kitchen.user("ann", .cook), try await kitchen.user("bea", .cook))
            for name in ["Soup", "Pie"] { _ = try await kitchen.recipe(name, of: ann) }
            let hers = try await kitchen.recipe("Salad", of: bea)
            let nobodys = try await kitchen.recipe("Bread")
            _ = try await kitchen.cookbook(of: ann)
            let handOver = HandOverOwnership(storage: kitchen.storage)
            let outcome = try await handOver.execute(.init(from: ann.id, to: bea.id))
            #expect(outcome.recipes == 2 && outcome.cookbooks == 1)
            let recipes = try await kitchen.repositories.recipes.read().items
            #expect(recipes.map(\.owner) == [bea.id, bea.id, bea.id, nil])
            #expect(recipes.filter { [hers.id, nobodys.id].contains($0.id) }.allSatisfy { $0.version == 1 })
            let again = try await handOver.execute(.init(from: ann.id, to: bea.id))
            #expect(again.recipes == 0 && again.cookbooks == 0)
        }
    }

    @Test func `a handover to the same user, or to a missing one, is refused`() async throws {
        try await Kitchen.on(.memory) { kitchen in
            let ann = try await kitchen.user("ann")
            _ = try await kitchen.recipe("Soup", of: ann)
            let handOver = HandOverOwnership(storage: kitchen.storage)
            await #expect(throws: InvalidField.self) { try await handOver.execute(.init(from: ann.id, to: ann.id)) }
            for request in [
                HandOverOwnership.Request(from: ann.id, to: kitchen.ids.next()),
                .init(from: kitchen.ids.next(), to: ann.id),
            ] {
                let error = await persistencyError { try await handOver.execute(request) }
                #expect(error?.isNotFound == true)
            }
        }
    }

    @Test func `a favourite is added and removed, and a repeated request writes nothing`() async throws {
        try await Kitchen.on(.memory) { kitchen in
            let ann = try await kitchen.user("ann")
            let (soup, pie) = (try await kitchen.recipe("Soup"), try await kitchen.recipe("Pie"))
            let cookbook = try await kitchen.cookbook(of: ann, favourites: [pie])
            let favourite = FavouriteRecipe(storage: kitchen.storage)
            func execute(_ recipe: Recipe, _ isFavourite: Bool) async throws -> SaveOutcome {
                try await favourite.execute(
                    .init(recipe: recipe.id, cookbook: cookbook.id, isFavourite: isFavourite)
                ).outcome
            }
            #expect(try await execute(soup, true) == .updated)
            #expect(try await execute(soup, true) == .unchanged)
            #expect(try await kitchen.repositories.cookbooks.require(cookbook.id).favourites == [pie.id, soup.id])
            #expect(try await execute(pie, false) == .updated)
            #expect(try await execute(pie, false) == .unchanged)
            #expect(try await kitchen.repositories.cookbooks.require(cookbook.id).favourites == [soup.id])
        }
    }

    @Test func `cooking requires existing entities and valid repetitions`() async throws {
        try await Kitchen.on(.memory) { kitchen in
            let ann = try await kitchen.user("ann")
            let cookbook = try await kitchen.cookbook(of: ann)
            let recipe = try await kitchen.recipe("Soup")
            let before = try await Snapshot(of: kitchen.repositories)
            let cook = CookRecipe(storage: kitchen.storage, ids: kitchen.ids, now: { Kitchen.epoch })
            for request in [
                CookRecipe.Request(user: ann.id, recipe: kitchen.ids.next(), cookbook: cookbook.id),
                .init(user: kitchen.ids.next(), recipe: recipe.id, cookbook: cookbook.id),
                .init(user: ann.id, recipe: recipe.id, cookbook: kitchen.ids.next()),
            ] {
                let error = await persistencyError { try await cook.execute(request) }
                #expect(error?.isNotFound == true)
            }
            await #expect(throws: InvalidField.self) {
                try await cook.execute(
                    .init(user: ann.id, recipe: recipe.id, cookbook: cookbook.id, repetitions: 0))
            }
            #expect(try await Snapshot(of: kitchen.repositories) == before)
        }
    }
}
