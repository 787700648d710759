import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderTesting
import Testing

@Suite("The only admin stays an admin")
struct LastAdminTests {
    private func isRefused(_ act: () async throws -> Void) async -> Bool {
        guard case .refused(let refusal)? = await persistencyError(act) else { return false }
        return refusal.rule == "is the only admin" && refusal.column == "role"
    }

    @Test(arguments: StoreKind.allCases)
    func `the only admin can be neither demoted nor deleted, by any caller`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let ann = try await kitchen.user("ann", .admin)
            _ = try await kitchen.user("bea", .cook)
            for storage in [kitchen.storage, kitchen.storage(for: Caller(ann))] {
                let users = storage.repositories.users
                for role in [Role.reader, .cook] {
                    let changed = try ann.with(role)
                    #expect(await isRefused { try await users.update(changed) })
                    #expect(await isRefused { try await users.update(changed, expecting: 1) })
                    #expect(await isRefused { try await users.save(changed) })
                    #expect(await isRefused { try await storage.transaction { _ = try await $0.users.save(changed) } })
                }
                #expect(await isRefused { try await users.delete(ann.id) })
                #expect(await isRefused { try await users.delete(ann.id, expecting: 1) })
                #expect(await isRefused { try await storage.transaction { try await $0.users.delete(ann.id) } })
            }
            #expect(try await kitchen.repositories.users.require(ann.id) == Stored(ann, version: 1))
        }
    }

    @Test func `users are not updated by query`() async throws {
        try await Kitchen.on(.memory) { kitchen in
            let error = await persistencyError {
                try await kitchen.storage.repositories.users.update(matching: Query<User>()) { _ in }
            }
            guard case .unsupportedQuery("an update of users by query")? = error else {
                return #expect(Bool(false), "\(error as Any)")
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `one of two admins can be removed, but not both, also in one transaction`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let (ann, bea) = (try await kitchen.user("ann", .admin), try await kitchen.user("bea", .admin))
            let both = await isRefused {
                try await kitchen.storage.transaction { repositories in
                    try await repositories.users.update(ann.with(.cook))
                    try await repositories.users.delete(bea.id)
                }
            }
            #expect(both)
            let users = kitchen.repositories.users
            #expect(try await users.read().entities.map(\.role) == [.admin, .admin])
            #expect(try await users.update(ann.with(.cook), expecting: 1).stored == Stored(ann.with(.cook), version: 2))
            #expect(try await users.save(ann.with(.cook)).stored.version == 2)
            #expect(try await users.save(ann.with(.reader)).stored.version == 3)
            #expect(try await users.require(ann.id).version == 3)
            #expect(await isRefused { try await users.delete(bea.id) })
            try await users.update(bea.with(.admin, firstName: "Beatrix"))
            #expect(try await users.require(bea.id).firstName == "Beatrix")
        }
    }

    @Test func `if two admins demote each other concurrently, one remains`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        var admins: [User] = []
        for name in ["ann", "bea"] {
            let admin = try User(
                id: fixture.ids.next(), email: "\(name)@example.org", firstName: name, lastName: "Lee", role: .admin)
            admins.append(try await fixture.repositories.users.create(admin).entity)
        }
        let (ann, bea) = (try admins[0].with(.reader), try admins[1].with(.reader))
        let repositories = fixture.repositories
        // Between the check of the first change and its commit.
        script.interfere { try await repositories.users.update(bea) }
        #expect(await isRefused { try await repositories.users.update(ann) })
        #expect(try await repositories.users.read().entities.map(\.role) == [.admin, .reader])
    }
}

extension User {
    fileprivate func with(_ role: Role, firstName: String? = nil) throws -> User {
        try User(id: id, email: email, firstName: firstName ?? self.firstName, lastName: lastName, role: role)
    }
}
