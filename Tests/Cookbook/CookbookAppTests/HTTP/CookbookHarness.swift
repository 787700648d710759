import CookbookData
import CookbookDomain
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import LarderTesting

@testable import CookbookApp

typealias CookbookHarness = HTTPHarness<CookbookAPI>
typealias CookbookPlayer = HTTPTranscriptPlayer<CookbookAPI>

extension HTTPHarness<CookbookAPI> {
    /// Serves the cookbook over a store.
    init(_ settings: StoreSettings = StoreSettings(location: .memory), readingIsOpen: Bool = true) async throws {
        let mappers = try MapperSet(Container.mappers, evolution: CookbookMappers.evolution)
        let store = try await settings.open(mappers.schemas)
        try await self.init(store, readingIsOpen: readingIsOpen)
    }

    /// Serves the cookbook over a scripted store in memory.
    init(_ script: MemoryStore.Script) async throws {
        try await self.init(MemoryStore(try MapperSet(Container.mappers).schemas, script: script))
    }

    /// Serves the cookbook over an open store. Ids and secrets are sequential.
    init(_ store: any Store, readingIsOpen: Bool = true) async throws {
        try await self.init(store, mappers: Container.mappers) { manager, clock in
            var container = Container()
            container.ids = CountingIDs()
            container.now = { clock.now }
            let chance = CountingIDs()
            container.random = { chance.next().low &* 0x9E37_79B9_7F4A_7C15 }
            return container.api(over: manager, ServerSettings(reading: readingIsOpen ? .open : .closed))
        }
    }

    /// Stores a user with a token, and returns the token.
    func user(_ email: String, _ role: Role) async throws -> String {
        try await register(email, role).token
    }

    /// Stores a user with a token, and returns the user's id and the token.
    func register(_ email: String, _ role: Role) async throws -> (id: EntityID<User>, token: String) {
        let cookbook = api.system
        let user = try await cookbook.registerUser.execute(
            .init(email: email, firstName: "A", lastName: "B", role: role))
        return (user.id, try await api.tokens.issue(to: user.id.rawValue, label: "test").secret.text)
    }
}

extension HTTPTranscriptPlayer<CookbookAPI> {
    /// A player for the cookbook over a store, with three users: ada, an admin; bob, a cook; cleo, a reader.
    init(_ store: any Store) async throws {
        let http = try await CookbookHarness(store)
        var callers: [String: Caller] = [:]
        for (name, role) in [("ada", Role.admin), ("bob", .cook), ("cleo", .reader)] {
            let user = try await http.register("\(name)@example.org", role)
            callers[name] = Caller(id: user.id.description, token: user.token)
        }
        self.init(http, callers: callers)
    }
}
