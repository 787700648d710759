import CookbookDomain
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import Testing

@testable import CookbookApp

/// A manager of an empty store in memory with all of the service's schemas.
func emptyManager(
    _ container: Container, script: MemoryStore.Script = .init()
) async throws -> any PersistencyManager {
    let mappers = try MapperSet(Container.mappers)
    return container.makeManager(MemoryStore(mappers.schemas, script: script), mappers, RetryPolicy())
}

/// Requests with an idempotency key, whose use cases run guarded within the keeper's transaction.
struct StoredResponseTests {
    private let container = Container()
    private let script = MemoryStore.Script()
    private let keeper = ResponseKeeper()
    private let digest = [UInt8](repeating: 7, count: 32)

    private func answer(
        _ manager: any PersistencyManager, as caller: Caller, key: String,
        _ work: (OpenCookbook) async throws -> Void
    ) async throws -> (content: ResponseContent, isReplay: Bool) {
        try await keeper.response(
            scope: ResponseScope(caller: "\(caller)", method: "POST", route: "/v1"), key: key, requestDigest: digest,
            manager: manager
        ) { manager in
            try await work(container.openCookbook(for: caller, user: nil, manager, readingIsOpen: true))
            return try ResponseContent(status: 200)
        }
    }

    private func register(_ name: String) -> (OpenCookbook) async throws -> Void {
        { cookbook in
            try await cookbook.registerUser.execute(
                .init(email: "\(name)@example.org", firstName: name, lastName: "Lee"))
        }
    }

    @Test func `a use case's change and its response are committed together, once`() async throws {
        let manager = try await emptyManager(container, script: script)
        #expect(try await !answer(manager, as: .system, key: "a", register("ann")).isReplay)
        #expect(script.commits.map { $0.inserts.map(\.schema.name).sorted() } == [["stored_answer", "user"]])
        #expect(try await answer(manager, as: .system, key: "a", register("ann")).isReplay)
        #expect(try await manager.read(Query<User>()).items.count == 1)
    }

    @Test func `a request without changes commits only its response`() async throws {
        let manager = try await emptyManager(container, script: script)
        let recipe = try Recipe(id: container.ids.next(), name: "Soup", rating: 4, createdAt: .now())
        try await manager.create(recipe)
        let before = script.commits.count
        _ = try await answer(manager, as: .system, key: "a") { cookbook in
            let saved = try await cookbook.rateRecipe.execute(.init(recipe: recipe.id, rating: 4))
            #expect(saved.outcome == .unchanged)
        }
        let commits = script.commits.dropFirst(before)
        #expect(commits.map { $0.inserts.map(\.schema.name) } == [["stored_answer"]])
        #expect(commits.allSatisfy { $0.updates.isEmpty && $0.deletes.isEmpty })
    }

    @Test func `a forbidden change is refused, and its response is not stored`() async throws {
        let manager = try await emptyManager(container, script: script)
        let reader = Caller.user(container.ids.next(), .reader)
        let error = await #expect(throws: PersistencyError.self) {
            try await answer(manager, as: reader, key: "a", register("ann"))
        }
        guard case .forbidden = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(script.commits.allSatisfy { $0.inserts.isEmpty })
        #expect(try await manager.read(Query<StoredResponse>()).items.isEmpty)
    }

    @Test func `a conflicting change causes a retry, and one response is stored`() async throws {
        let manager = try await emptyManager(container, script: script)
        let recipe = try Recipe(id: container.ids.next(), name: "Soup", rating: 1, createdAt: .now())
        try await manager.create(recipe)
        var runs = 0
        let result = try await answer(manager, as: .system, key: "a") { cookbook in
            runs += 1
            try await cookbook.rateRecipe.execute(.init(recipe: recipe.id, rating: 5))
            guard runs == 1 else { return }
            _ = try await Task.detached { try await manager.update(try recipe.rated(2)) }.value
        }
        #expect(runs == 2 && !result.isReplay)
        #expect(try await manager.require(recipe.id).rating == 5)
        #expect(try await manager.read(Query<StoredResponse>()).items.map(\.version) == [1])
    }

    @Test func `callers cannot read stored responses and tokens`() async throws {
        let manager = try await emptyManager(container)
        let guarded = GuardedManager(
            manager, policies: .cookbook(for: .user(container.ids.next(), .admin), readingIsOpen: true))
        let storedAnswer = await #expect(throws: PersistencyError.self) {
            try await guarded.read(Query<StoredResponse>())
        }
        #expect(storedAnswer?.kind == "forbidden")
        let accessToken = await #expect(throws: PersistencyError.self) { try await guarded.read(Query<AccessToken>()) }
        #expect(accessToken?.kind == "forbidden")
    }
}
