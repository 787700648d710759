import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

/// Hides one person, and refuses to create or delete it.
private struct HidingManager: ManagerDecorator {
    let base: any PersistencyManager
    let hidden: EntityID<Person>

    func decorating(_ manager: any PersistencyManager) -> any PersistencyManager {
        HidingManager(base: manager, hidden: hidden)
    }

    @discardableResult
    func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E> {
        try check(entity.id)
        return try await base.create(entity)
    }

    func read<E: Entity>(_ ids: [EntityID<E>]) async throws(PersistencyError) -> [Stored<E>] {
        try await base.read(ids.filter { $0.rawValue != hidden.rawValue })
    }

    func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        try check(id)
        try await base.delete(id, expecting: version)
    }

    private func check<E: Entity>(_ id: EntityID<E>) throws(PersistencyError) {
        if id.rawValue == hidden.rawValue { throw .forbidden(Forbidden(.using, E.entityName)) }
    }
}

@Suite("A decorator of managers")
struct ManagerDecoratorTests {
    private let fixture: Fixture
    private let ann = Person(1, "Ann")
    private let bea = Person(2, "Bea")
    private let manager: HidingManager

    init() throws {
        fixture = try Fixture()
        manager = HidingManager(base: fixture.manager, hidden: ann.id)
    }

    @Test(arguments: [false, true])
    func `cannot be bypassed by operations that consist of others`(inTransaction: Bool) async throws {
        try await fixture.manager.create(ann)
        try await fixture.manager.create(bea)
        try await on(manager, inTransaction) { manager in
            let (hidden, other) = (try await manager.read(ann.id), try await manager.read(bea.id))
            #expect(hidden == nil && other != nil)
        }
        for operation in Self.refused {
            let error = await persistencyError { try await on(manager, inTransaction) { try await operation($0) } }
            guard case .forbidden = error else { return #expect(Bool(false), "\(error as Any)") }
        }
        #expect(try await fixture.manager.read(Query<Person>()).entities == [ann, bea])
    }

    private static let refused: [@Sendable (any PersistencyManager) async throws -> Void] = [
        { try await $0.create(contentsOf: [Person(3, "Cid"), Person(1, "Ann")]) },
        { try await $0.delete(matching: Query<Person>()) },
        { try await $0.transaction { _ = try await $0.create(Person(1, "Ann")) } },
    ]

    private func on(
        _ manager: any PersistencyManager, _ inTransaction: Bool,
        _ body: (any PersistencyManager) async throws -> Void
    ) async throws {
        if inTransaction { try await manager.transaction { try await body($0) } } else { try await body(manager) }
    }

    @Test func `forwards everything else`() async throws {
        try await manager.create(bea)
        try await manager.update(Person(2, "Bob"))
        #expect(try await manager.save(Person(2, "Bob")).outcome == .unchanged)
        #expect(try await manager.counts(Query<Person>(), by: .value(\.name)) == ["Bob": 1])
        #expect(!manager.isInTransaction)
        let isInside = try await manager.transaction { $0.isInTransaction }
        #expect(isInside)
        let last = try #require(fixture.script.commits.last).id
        #expect(try await manager.outcome(of: last) == .stored)
    }
}
