import CookbookDomain
import LarderData
import LarderDomain
import LarderStoreContract
import LarderTesting
import Testing

@Suite("Concurrent cooking and handover")
struct CookAndHandOverTests {
    private static let callers = 8
    /// The number of operations of each caller.
    private static let rounds = RunSize.current.of(quick: 25, ci: 300, prove: 10_000)

    @Test(arguments: [StoreKind.memory, .sqlite])
    func `every recipe keeps an owner, and history and sessions agree`(kind: StoreKind) async throws {
        try await Kitchen.on(kind, retry: RetryPolicy(attempts: 1_000, longestPause: .milliseconds(8))) { kitchen in
            let began = ContinuousClock.now
            var scene = Scene(kitchen: kitchen)
            try await scene.fill()
            let cooked = try await withThrowingTaskGroup(of: Int.self) { group in
                for caller in 0..<Self.callers {
                    group.addTask { [scene] in
                        try await scene.play(caller, rounds: Self.rounds)
                    }
                }
                return try await group.reduce(0, +)
            }
            try await scene.check(cooked: cooked)
            let figure = "\(Self.callers) callers, \(Self.rounds) rounds each, \(cooked) recipes cooked"
            print(RunReport("owners, \(kind)", figure: figure, seed: nil, duration: ContinuousClock.now - began))
        }
    }
}

/// Four users with three recipes and a cookbook each. Ownership changes while the recipes are cooked.
private struct Scene: Sendable {
    let kitchen: Kitchen
    private var users: [User] = []
    private var recipes: [Recipe] = []
    private var cookbooks: [Cookbook] = []

    init(kitchen: Kitchen) {
        self.kitchen = kitchen
    }

    mutating func fill() async throws {
        for name in ["ann", "bea", "cid", "dan"] {
            let user = try await kitchen.user(name, .cook)
            users.append(user)
            cookbooks.append(try await kitchen.cookbook(of: user))
            for number in 1...3 { recipes.append(try await kitchen.recipe("\(name) \(number)", of: user)) }
        }
    }

    /// Every second caller cooks and the others transfer ownership. Returns the number of cooking sessions.
    func play(_ caller: Int, rounds: Int) async throws -> Int {
        var cooked = 0
        for round in 0..<rounds {
            let number = caller &* 7 &+ round
            if caller.isMultiple(of: 2) {
                let useCase = CookRecipe(storage: kitchen.storage, ids: kitchen.ids, now: { Kitchen.epoch })
                try await useCase.execute(
                    .init(
                        user: users[number % 4].id, recipe: recipes[number % 12].id, cookbook: cookbooks[round % 4].id))
                cooked += 1
            } else {
                let (source, target) = (users[number % 4].id, users[(number + 1 + round % 3) % 4].id)
                try await HandOverOwnership(storage: kitchen.storage).execute(.init(from: source, to: target))
            }
            if round % 25 == 0 { try await expectOwners() }
        }
        return cooked
    }

    /// In one snapshot, during other changes.
    private func expectOwners() async throws {
        let known = Set(users.map(\.id))
        let stored = try await kitchen.repositories.recipes.read().entities
        #expect(stored.count == recipes.count)
        #expect(stored.allSatisfy { recipe in recipe.owner.map(known.contains) ?? false })
    }

    func check(cooked: Int) async throws {
        let repositories = kitchen.repositories
        var (owned, kept): ([EntityID<Recipe>], [EntityID<Cookbook>]) = ([], [])
        for user in users {
            owned += try await repositories.recipes.list(.init(.init(ownedBy: user.id))).items.map(\.id)
            kept += try await repositories.cookbooks.owned(by: user.id).map(\.id)
        }
        #expect(owned.sorted() == recipes.map(\.id).sorted())
        #expect(kept.sorted() == cookbooks.map(\.id).sorted())
        let sessions = try await repositories.sessions.read().entities.compactMap(\.recipe)
        let history = try await repositories.cookbooks.read().entities.flatMap(\.history)
        #expect(sessions.count == cooked)
        #expect(history.sorted() == sessions.sorted())
        #expect(try await repositories.recipes.read().entities.allSatisfy(\.completed))
    }
}
