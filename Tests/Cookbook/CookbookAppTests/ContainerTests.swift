import ArgumentParser
import CookbookData
import CookbookDomain
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import LarderTesting
import Logging
import Synchronization
import Testing

@testable import CookbookApp

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

    @Test func `a factory that a test replaces opens the store of commands and of the service`() async throws {
        var container = Container()
        let failure = CommandFailure(.busy, "the factory of the test")
        container.openStore = { _, _ in throw failure }
        await #expect(throws: failure) { try await StatsCommand.parse([]).run(with: container) }
        await #expect(throws: failure) {
            try await ServeCommand<Larder>.parse(["--http-port", "0"]).run(with: container)
        }
    }

    @Test func `commands and the service have the manager, the clock and the ids of the container`() async throws {
        let made = Mutex(0)
        let ids = CountingIDs()
        var container = Container()
        let kept = KeptStore(MemoryStore(try MapperSet(Container.mappers).schemas))
        container.openStore = { _, _ in kept }
        container.makeManager = { store, mappers, retry in
            made.withLock { $0 += 1 }
            return StoreManager(store, mappers: mappers, retry: retry)
        }
        (container.ids, container.now) = (ids, { Timestamp(microseconds: 7) })
        let add = ["ann@example.org", "--first", "Ann", "--last", "Lee", "--role", "cook"]
        try await UsersCommand.Add.parse(add).run(with: container)

        let settings = ServiceSettings(
            store: StoreSettings(location: .memory), server: ServerSettings(port: 0, logLevel: .critical))
        var reader = SettingReader(SettingSources())
        let api = container.api(settings, &reader)
        let run = ServiceRun(settings, Larder.identity, container, mappers: Container.mappers)
        let isOver = CommandFailure(.conflict, "over")
        await #expect(throws: isOver) {
            try await run.untilStopped {
                try api($0)
            } onServing: { api, _ in
                let before = ids.count
                try await api.system.recipes.create(
                    Recipe(id: api.system.ids.next(), name: "Soup", createdAt: api.system.now()))
                #expect(ids.count == before + 1)
                throw isOver
            }
        }
        let stored = StoreManager(kept, mappers: try MapperSet(Container.mappers))
        let first = CountingIDs().next()
        #expect(try await stored.read(Query<User>()).entities.map(\.id.rawValue) == [first])
        #expect(try await stored.read(Query<Recipe>()).entities.map(\.createdAt) == [Timestamp(microseconds: 7)])
        #expect(made.withLock(\.self) == 2)
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
