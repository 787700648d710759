import CookbookData
import CookbookDomain
import LarderApp
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderTesting
import Testing

@testable import CookbookApp
import LarderHTTP

struct ContainerTests {
    @Test func `a test replaces one member and keeps the rest`() async throws {
        var container = Container()
        container.now = { Timestamp(microseconds: 7) }
        let created = try await container.withCookbook(StoreSettings(location: .memory)) { cookbook in
            let draft = RecipeDraft(sourceIdentifier: "soup", name: "Soup")
            _ = try await cookbook.importRecipes.execute(.init([draft]))
            return try await cookbook.recipe("soup").createdAt
        }
        #expect(created == Timestamp(microseconds: 7))
    }

    @Test func `a recipe without a source is found by its displayed identifier`() async throws {
        let found = try await Container().withCookbook(StoreSettings(location: .memory)) { cookbook in
            let ids = UUIDv7Generator()
            let soups = try (0..<2).map { _ in
                try Recipe(id: ids.next(), name: "Soup", createdAt: Timestamp(microseconds: 0))
            }
            for soup in soups { try await cookbook.recipes.create(soup) }
            let shown = soups.map(\.outsideIdentifier)
            let several = await #expect(throws: CommandFailure.self) { try await cookbook.recipe("soup") }
            #expect(several?.message == "2 recipes are named 'soup'")
            let found = try await [cookbook.recipe(shown[0]).id, cookbook.recipe(shown[1]).id]
            let none = await #expect(throws: CommandFailure.self) {
                try await cookbook.recipe("urn:uuid:\(ids.next())")
            }
            #expect(none?.message.hasPrefix("no recipe is named") == true)
            return found == soups.map(\.id)
        }
        #expect(found)
    }

    @Test func `an error of the body is rethrown, and the store can be reopened`() async throws {
        let folder = try TemporaryFolder()
        let settings = StoreSettings(location: .sqlite(path: folder.path + "/store.sqlite"))
        let failure = CommandFailure(.conflict, "enough")
        await #expect(throws: failure) {
            try await Container().withCookbook(settings) { _ in throw failure }
        }
        #expect(try await Container().withCookbook(settings) { try await $0.countCookbook.execute().recipes } == 0)
    }

    @Test func `a store that is open elsewhere is busy`() async throws {
        let folder = try TemporaryFolder()
        let settings = StoreSettings(location: .sqlite(path: folder.path + "/store.sqlite"))
        let error = try await Container().withCookbook(settings) { _ in
            await #expect(throws: PersistencyError.self) {
                try await Container().withCookbook(settings) { _ in }
            }
        }
        #expect(error.flatMap { CommandFailure($0) }?.status == .busy)
    }

    @Test func `a database without token tables opens, keeps its data, and stores tokens`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/store.sqlite"
        let mappers = try MapperSet(CookbookMappers.all)
        let store = try await SQLiteStore.open(.init(.file(path)), schemas: mappers.schemas)
        let user = try User(
            id: UUIDv7Generator().next(), email: "ann@example.org", firstName: "Ann", lastName: "Lee", role: .cook)
        try await StoreManager(store, mappers: mappers).create(user)
        await store.close()
        for count in 0..<2 {
            try await Container().withCookbook(StoreSettings(location: .sqlite(path: path))) { cookbook in
                #expect(try await cookbook.user("ann@example.org") == user)
                #expect(try await cookbook.tokens.issued(to: user.id.rawValue).count == count)
                _ = try await cookbook.tokens.issue(to: user.id.rawValue, label: "oven")
            }
        }
    }
}
