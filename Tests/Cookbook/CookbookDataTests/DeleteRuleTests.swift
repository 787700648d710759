import CookbookDomain
import LarderDomain
import LarderTesting
import Testing

@Suite("Delete rules")
struct DeleteRuleTests {
    @Test(arguments: StoreKind.allCases)
    func `deleting a recipe deletes its cookbook entries, and keeps its sessions`(
        kind: StoreKind
    ) async throws {
        try await Kitchen.on(kind) { kitchen in
            let ann = try await kitchen.user("ann")
            let photo = try await kitchen.photo()
            let (soup, pie) = (try await kitchen.recipe("Soup", photo: photo), try await kitchen.recipe("Pie"))
            let cookbook = try await kitchen.cookbook(of: ann, favourites: [soup, pie], history: [soup, pie, soup])
            let session = try await kitchen.session(of: ann, soup)
            try await kitchen.repositories.recipes.delete(soup.id)
            let stored = try await kitchen.repositories.cookbooks.require(cookbook.id)
            #expect(stored.favourites == [pie.id])
            #expect(stored.history == [pie.id])
            #expect(try await kitchen.repositories.sessions.require(session.id).recipe == .some(nil))
            #expect(try await kitchen.repositories.photos.read().items.isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `clearing brands removes them from ingredients, and deletes the photo`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let mill = try await kitchen.brand("Mill", photo: try await kitchen.photo())
            _ = try await kitchen.brand("Farm")
            let german = try await kitchen.brand("Mühle", .german)
            let bread = try await kitchen.recipe("Bread", brand: mill)
            let roll = try await kitchen.recipe("Roll", brand: german)
            let clear = ClearBrands(storage: kitchen.storage)
            #expect(try await clear.execute(.init(language: .english)) == 2)
            #expect(try await clear.execute(.init(language: .english)) == 0)
            let recipes = kitchen.repositories.recipes
            #expect(try await recipes.require(bread.id).ingredients.map(\.brand) == [nil, nil])
            #expect(try await recipes.require(roll.id).entity == roll)
            #expect(try await kitchen.repositories.photos.read().items.isEmpty)
            #expect(try await kitchen.repositories.brands.read().entities == [german])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a user who is an owner cannot be deleted, and deletes sessions otherwise`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let (ann, bea) = (try await kitchen.user("ann"), try await kitchen.user("bea"))
            let (recipe, cookbook) = (try await kitchen.recipe("Soup", of: ann), try await kitchen.cookbook(of: ann))
            _ = try await kitchen.session(of: ann, recipe)
            let kept = try await kitchen.session(of: bea, recipe)
            func refusal() async -> Refusal? {
                let error = await persistencyError { try await kitchen.repositories.users.delete(ann.id) }
                if case .refused(let refusal) = error { return refusal } else { return nil }
            }
            let first = await refusal()
            #expect(first?.entity == "recipe" && first?.column == "owner_id" && first?.example == recipe.id.rawValue)
            try await kitchen.repositories.recipes.update(recipe.owned(by: bea.id))
            let second = await refusal()
            #expect(second?.entity == "cookbook" && second?.example == cookbook.id.rawValue)
            let handOver = HandOverOwnership(storage: kitchen.storage)
            let outcome = try await handOver.execute(.init(from: ann.id, to: bea.id))
            #expect(outcome.recipes == 0 && outcome.cookbooks == 1)
            try await kitchen.repositories.users.delete(ann.id)
            #expect(try await kitchen.repositories.sessions.read().entities == [kept])
        }
    }
}
