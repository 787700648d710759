import CookbookDomain
import LarderDomain
import LarderTesting
import Testing

@Suite("The repositories' queries")
struct QuestionTests {
    @Test(arguments: StoreKind.allCases)
    func `brands of a language are sorted by name`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            for name in ["mill", "Farm", "Öko"] { _ = try await kitchen.brand(name) }
            let german = try await kitchen.brand("Mühle", .german)
            let brands = kitchen.repositories.brands
            #expect(try await brands.inLanguage(.english).map(\.name) == ["Farm", "mill", "Öko"])
            #expect(try await brands.inLanguage(.german).map(\.entity) == [german])
            #expect(german.keywords == ["one", "two words"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a brand name is unique within its language, ignoring case and diacritics`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let mill = try await kitchen.brand("Mill")
            _ = try await kitchen.brand("Mill", .german)
            let error = await persistencyError { _ = try await kitchen.brand("MÎLL") }
            guard case .duplicate(let duplicate) = error else { return #expect(Bool(false), "\(error as Any)") }
            #expect(duplicate.existing == mill.id.rawValue)
            #expect(duplicate.columns == ["language", "name_folded"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a user is found by e-mail address ignoring case, and addresses are unique`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let register = RegisterUser(storage: kitchen.storage, ids: kitchen.ids)
            let ann = try await register.execute(
                .init(email: "Ann@Example.org", firstName: "Ann", lastName: "Lee", role: .cook))
            let users = kitchen.repositories.users
            #expect(try await users.withEmail("ANN@example.ORG") == ann)
            #expect(ann.email == "Ann@Example.org" && ann.role == .cook)
            #expect(try await users.withEmail("bea@example.org") == nil)
            let error = await persistencyError {
                try await register.execute(.init(email: "ann@example.org", firstName: "A", lastName: "L"))
            }
            guard case .duplicate(let duplicate) = error else { return #expect(Bool(false), "\(error as Any)") }
            #expect(duplicate.columns == ["folded_email"] && duplicate.existing == ann.id.rawValue)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `sessions are found by user and a half-open range of start times`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let (ann, bea) = (try await kitchen.user("ann"), try await kitchen.user("bea"))
            for at: Int64 in [30, 10, 20, 40, 20] { _ = try await kitchen.session(of: ann, nil, at: at) }
            _ = try await kitchen.session(of: bea, nil, at: 20)
            let sessions = kitchen.repositories.sessions
            func instants(_ start: Int64, _ end: Int64) async throws -> [Int64] {
                let (start, end) = (Timestamp(microseconds: start), Timestamp(microseconds: end))
                return try await sessions.of(ann.id, from: start, until: end).map(\.startedAt.microseconds)
            }
            #expect(try await instants(10, 40) == [10, 20, 20, 30])
            #expect(try await instants(11, 20) == [])
            #expect(try await instants(40, 10) == [])
            #expect(try await instants(.min, .max) == [10, 20, 20, 30, 40])
            let end = Timestamp(microseconds: .max)
            let page = try await sessions.of(ann.id, from: Kitchen.epoch, until: end, limit: 3, after: nil)
            let rest = try await sessions.of(ann.id, from: Kitchen.epoch, until: end, limit: 3, after: page.next)
            #expect(rest.items.map(\.startedAt.microseconds) == [30, 40])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the most cooked recipes come first, and ties are sorted by age`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let ann = try await kitchen.user("ann")
            var recipes: [Recipe] = []
            for name in ["a", "b", "c", "d"] { recipes.append(try await kitchen.recipe(name)) }
            for index in [2, 1, 2, 1, 0] { _ = try await kitchen.session(of: ann, recipes[index]) }
            _ = try await kitchen.session(of: ann, nil)
            let sessions = kitchen.repositories.sessions
            let expected = [
                CookedCount(recipes[1].id, sessions: 2), CookedCount(recipes[2].id, sessions: 2),
                CookedCount(recipes[0].id, sessions: 1),
            ]
            #expect(try await sessions.mostCooked(limit: 10) == expected)
            #expect(try await sessions.mostCooked(limit: 1) == [expected[0]])
            #expect(try await sessions.mostCooked(limit: 0) == [])
            #expect(try await sessions.mostCooked(limit: -1) == [])
        }
    }
}
