import CookbookDomain
import LarderDomain
import LarderTesting
import Testing

/// A use case that changes several aggregates, with its input.
struct Undertaking: Sendable, CustomTestStringConvertible {
    let name: String
    /// The number of writes that it requests from the manager.
    let writes: Int
    /// Stores the required entities, and returns the use case.
    let prepare: @Sendable (Kitchen) async throws -> @Sendable (CookbookStorage) async throws -> Void

    var testDescription: String { name }

    static let all = [
        Undertaking(name: "cook", writes: 3) { kitchen in
            let cook = try await kitchen.user("ann", .cook)
            let recipe = try await kitchen.recipe("Soup", of: cook)
            let cookbook = try await kitchen.cookbook(of: cook, history: [recipe])
            return { storage in
                let useCase = CookRecipe(storage: storage, ids: kitchen.ids, now: { Kitchen.epoch })
                try await useCase.execute(.init(user: cook.id, recipe: recipe.id, cookbook: cookbook.id))
            }
        },
        Undertaking(name: "hand over", writes: 5) { kitchen in
            let (ann, bea) = (try await kitchen.user("ann"), try await kitchen.user("bea"))
            for name in ["Soup", "Pie", "Salad"] { _ = try await kitchen.recipe(name, of: ann) }
            for _ in 1...2 { _ = try await kitchen.cookbook(of: ann) }
            return { storage in
                try await HandOverOwnership(storage: storage).execute(.init(from: ann.id, to: bea.id))
            }
        },
        Undertaking(name: "clear brands", writes: 2) { kitchen in
            let mill = try await kitchen.brand("Mill", photo: try await kitchen.photo())
            _ = try await kitchen.brand("Farm")
            _ = try await kitchen.recipe("Bread", brand: mill)
            return { storage in try await ClearBrands(storage: storage).execute(.init(language: .english)) }
        },
        Undertaking(name: "put a photo", writes: 2) { kitchen in
            let recipe = try await kitchen.recipe("Soup", photo: try await kitchen.photo("old"))
            return { storage in
                try await PutPhoto(storage: storage, ids: kitchen.ids).execute(
                    .init(recipe: recipe.id, bytes: Array("GIF89anew".utf8), digest: Kitchen.digest))
            }
        },
        Undertaking(name: "delete a recipe", writes: 1) { kitchen in
            let ann = try await kitchen.user("ann")
            let recipe = try await kitchen.recipe("Soup", of: ann, photo: try await kitchen.photo())
            _ = try await kitchen.cookbook(of: ann, favourites: [recipe], history: [recipe, recipe])
            _ = try await kitchen.session(of: ann, recipe)
            return { storage in try await storage.repositories.recipes.delete(recipe.id) }
        },
    ]
}

@Suite("A change to several aggregates is atomic")
struct WholeOrNothingTests {
    @Test(arguments: Undertaking.all, StoreKind.allCases)
    func `a failure of any write or of the commit changes nothing`(
        undertaking: Undertaking, kind: StoreKind
    ) async throws {
        for isGuarded in [false, true] {
            try await Kitchen.on(kind) { kitchen in
                let useCase = try await undertaking.prepare(kitchen)
                let storage = isGuarded ? kitchen.storage(for: .system) : kitchen.storage
                let report = try await kitchen.faults.report {
                    try await Snapshot(of: kitchen.repositories)
                } of: {
                    try await useCase(storage)
                }
                #expect(report.findings == [])
                #expect(report.writes == undertaking.writes)
            }
        }
    }
}
