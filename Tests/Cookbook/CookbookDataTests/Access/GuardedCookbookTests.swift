import CookbookDomain
import LarderDomain
import LarderTesting
import Testing

@Suite("Permissions of callers in their repositories")
struct GuardedCookbookTests {
    /// Two readers and a cook with private entities of each, alternating, so that every page has entities to exclude.
    private func fill(_ kitchen: Kitchen) async throws -> [User] {
        var users: [User] = []
        for (name, role) in [("ann", Role.reader), ("bea", .reader), ("cid", .cook), ("dan", .admin)] {
            users.append(try await kitchen.user(name, role))
        }
        for number in 0..<30 {
            let user = users[number % 3]
            let recipe = try await kitchen.recipe("r\(number)", of: number % 2 == 0 ? users[2] : nil)
            _ = try await kitchen.cookbook(of: user, favourites: [recipe])
            for at in 0..<2 { _ = try await kitchen.session(of: user, recipe, at: Int64(at)) }
        }
        return users
    }

    private static let limit = 4

    /// All pages, joined. Expects every page except the last to be full, and the total to be correct.
    private func pages<R: EntityRepository>(_ repository: R) async throws -> [R.Model] {
        var found: [R.Model] = []
        var query = Query<R.Model>(limit: Self.limit, includesTotal: true)
        var total = 0
        repeat {
            let page = try await repository.read(query)
            #expect(page.items.count == Self.limit || page.next == nil)
            found += page.entities
            query.after = page.next
            total = page.total ?? -1
        } while query.after != nil
        #expect(total == found.count)
        return found
    }

    @Test(arguments: StoreKind.allCases)
    func `pages are full, and contain only readable entities`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let users = try await fill(kitchen)
            let all = try await Snapshot(of: kitchen.repositories)
            for caller in [.anonymous, .system] + users.map({ Caller($0) }) {
                for isOpen in [true, false] {
                    func expect<R: EntityRepository>(
                        _ repository: R, shows all: [Stored<R.Model>], _ policy: some AccessPolicy<R.Model>
                    ) async throws {
                        let allowed = all.map(\.entity).filter(policy.mayRead)
                        #expect(try await pages(repository) == allowed)
                        #expect(try await repository.read(all.map(\.id)).map(\.entity) == allowed)
                    }
                    let repositories = kitchen.storage(for: caller, readingIsOpen: isOpen).repositories
                    let recipes = RecipePolicy(caller, readingIsOpen: isOpen)
                    try await expect(repositories.recipes, shows: all.recipes, recipes)
                    try await expect(repositories.users, shows: all.users, UserPolicy(caller))
                    try await expect(repositories.cookbooks, shows: all.cookbooks, CookbookPolicy(caller))
                    try await expect(repositories.sessions, shows: all.sessions, CookingSessionPolicy(caller))
                }
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the repositories' queries are guarded too`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let users = try await fill(kitchen)
            let (ann, bea) = (users[0], users[1])
            let repositories = kitchen.storage(for: Caller(ann)).repositories
            #expect(try await repositories.cookbooks.owned(by: ann.id).count == 10)
            #expect(try await repositories.cookbooks.owned(by: bea.id).isEmpty)
            #expect(try await repositories.users.withEmail(ann.email)?.entity == ann)
            #expect(try await repositories.users.withEmail(bea.email) == nil)
            let (start, end) = (Timestamp(microseconds: 0), Timestamp(microseconds: 2))
            #expect(try await repositories.sessions.of(ann.id, from: start, until: end).count == 20)
            #expect(try await repositories.sessions.of(bea.id, from: start, until: end).isEmpty)
            #expect(try await repositories.sessions.mostCooked(limit: 100).count == 10)
            #expect(try await kitchen.repositories.sessions.mostCooked(limit: 100).count == 30)
        }
    }

    @Test func `any user can cook any recipe, and completes only their own`() async throws {
        try await Kitchen.on(.memory) { kitchen in
            let (ann, cid) = (try await kitchen.user("ann"), try await kitchen.user("cid", .cook))
            let recipe = try await kitchen.recipe("Soup", of: cid)
            for (user, completes) in [(ann, false), (cid, true)] {
                let cookbook = try await kitchen.cookbook(of: user)
                let useCase = CookRecipe(
                    storage: kitchen.storage(for: Caller(user)), ids: kitchen.ids, now: { Kitchen.epoch })
                let outcome = try await useCase.execute(
                    .init(user: user.id, recipe: recipe.id, cookbook: cookbook.id, repetitions: 2))
                #expect(outcome.recipe.completed == completes)
                let stored = try await Snapshot(of: kitchen.repositories)
                #expect(stored.recipes.map(\.entity) == [outcome.recipe])
                #expect(stored.sessions.map(\.entity).contains(outcome.session))
                #expect(stored.cookbooks.map(\.entity).contains(outcome.cookbook))
            }
        }
    }

    @Test func `no user can cook as another one, or into another one's cookbook`() async throws {
        try await Kitchen.on(.memory) { kitchen in
            let (ann, cid) = (try await kitchen.user("ann"), try await kitchen.user("cid", .cook))
            let recipe = try await kitchen.recipe("Soup", of: cid)
            let (hers, his) = (try await kitchen.cookbook(of: ann), try await kitchen.cookbook(of: cid))
            let before = try await Snapshot(of: kitchen.repositories)
            for (caller, user, cookbook) in [
                (Caller(ann), cid, hers), (Caller(ann), ann, his), (.anonymous, ann, hers),
            ] {
                let storage = kitchen.storage(for: caller)
                let useCase = CookRecipe(storage: storage, ids: kitchen.ids, now: { Kitchen.epoch })
                let error = await persistencyError {
                    try await useCase.execute(.init(user: user.id, recipe: recipe.id, cookbook: cookbook.id))
                }
                #expect(error?.isNotFound == true, "\(error as Any)")
            }
            #expect(try await Snapshot(of: kitchen.repositories) == before)
        }
    }

    @Test func `admin actions are refused for everyone else`() async throws {
        try await Kitchen.on(.memory) { kitchen in
            let (cid, dan) = (try await kitchen.user("cid", .cook), try await kitchen.user("dan", .admin))
            _ = try await kitchen.brand("Mill")
            let recipe = try await kitchen.recipe("Soup", of: dan)
            let before = try await Snapshot(of: kitchen.repositories)
            let storage = kitchen.storage(for: Caller(cid))
            let errors = [
                await persistencyError {
                    try await RegisterUser(storage: storage, ids: kitchen.ids).execute(
                        .init(email: "eve@example.org", firstName: "Eve", lastName: "Lee"))
                },
                await persistencyError { try await ClearBrands(storage: storage).execute(.init(language: .english)) },
                await persistencyError {
                    try await RateRecipe(storage: storage).execute(.init(recipe: recipe.id, rating: 5))
                },
                await persistencyError {
                    try await PutPhoto(storage: storage, ids: kitchen.ids).execute(
                        .init(recipe: recipe.id, bytes: Array("GIF89a".utf8), digest: Kitchen.digest))
                },
            ]
            for error in errors { #expect(error?.isForbidden == true, "\(error as Any)") }
            let error = await persistencyError {
                try await HandOverOwnership(storage: storage).execute(.init(from: cid.id, to: dan.id))
            }
            #expect(error?.isNotFound == true, "users are private: \(error as Any)")
            #expect(try await Snapshot(of: kitchen.repositories) == before)
        }
    }

    @Test func `an import gives new recipes to the caller, and takes over no others`() async throws {
        try await Kitchen.on(.memory) { kitchen in
            let (cid, eve) = (try await kitchen.user("cid", .cook), try await kitchen.user("eve", .cook))
            func importRecipes(_ caller: Caller, _ names: String...) async throws -> [ImportOutcome] {
                let storage = kitchen.storage(for: caller)
                return try await ImportRecipes(storage: storage, ids: kitchen.ids, now: { Kitchen.epoch }).execute(
                    .init(names.map { .make($0, tags: ["new"]) { $0.summary = "by \(caller)" } }))
            }
            _ = try await importRecipes(.system, "open")
            let first = try await importRecipes(Caller(cid), "soup")
            #expect(first.allSatisfy { $0.failure == nil })
            let second = try await importRecipes(Caller(eve), "pie", "soup", "open")
            #expect(second.map { $0.failure == nil } == [true, false, false])
            #expect(second[1].failure?.isForbidden == true)
            let anonymous = try await importRecipes(.anonymous, "cake")
            #expect(anonymous[0].failure?.isForbidden == true)
            let stored = try await kitchen.repositories.recipes.list(.init()).entities
            #expect(stored.map(\.name) == ["Open", "Pie", "Soup"])
            #expect(stored.map(\.owner) == [nil, eve.id, cid.id])
        }
    }
}
