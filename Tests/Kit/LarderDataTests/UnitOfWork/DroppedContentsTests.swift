import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderData

@Suite("A unit of work keeps versions of roots whose contents it drops")
struct DroppedContentsTests {
    let fixture: Fixture
    /// It drops contents after each read.
    let unit: UnitOfWork

    init() async throws {
        fixture = try Fixture()
        unit = UnitOfWork(fixture.store, keptBytes: 0, readLimit: 4)
        for number in 1...6 as ClosedRange<UInt64> { try await fixture.manager.create(Person(number, "Ann \(number)")) }
    }

    private func id(_ number: UInt64) -> RawID { Person(number, "").id.rawValue }

    private func object(_ number: UInt64, _ name: String) throws -> StorageObject {
        try PersonMapper.storageObject(from: Person(number, name))
    }

    @Test func `they are expectations of the commit, in the order of ids`() async throws {
        _ = try await unit.read([id(2), id(1)], of: PersonMapper.schema)
        _ = try await unit.read(ReadRequest(PersonMapper.schema, where: .always(true), limit: 3))
        #expect(unit.tracked[EntityKey(PersonMapper.schema, id(1))] == nil)
        #expect(unit.changeSet.reads.map(\.key.id) == [id(1), id(2), id(3)])
        #expect(unit.changeSet.reads.allSatisfy { $0.version == 1 })
        #expect(try await !unit.saveIfNeeded())
        try await fixture.manager.update(Person(2, "Bea"), expecting: 1)
        await #expect(throws: PersistencyError.self) { try await unit.saveIfNeeded() }
    }

    @Test func `a root that has changed meanwhile is a conflict when it is read again`() async throws {
        _ = try await unit.read(id(1), of: PersonMapper.schema)
        #expect(try await unit.read(id(1), of: PersonMapper.schema)?.version == 1)
        try await fixture.manager.update(Person(1, "Bea"), expecting: 1)
        let error = await persistencyError { _ = try await unit.read(id(1), of: PersonMapper.schema) }
        guard case .conflict(let conflict)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(conflict.expected == 1 && conflict.found == 2)
        #expect(unit.isLost)
    }

    @Test func `they can be changed and deleted, and are not created again`() async throws {
        _ = try await unit.read([id(1), id(2), id(3)], of: PersonMapper.schema)
        #expect(try await unit.update(object(1, "Bea"), expecting: 1) == .updated)
        #expect(try await unit.save(object(2, "Cid")) == .updated)
        try await unit.delete(EntityKey(PersonMapper.schema, id(3)), expecting: 1)
        _ = try await unit.read(id(4), of: PersonMapper.schema)
        await #expect(throws: PersistencyError.self) { try await unit.create(object(4, "Dan")) }
        let changes = unit.changeSet
        #expect(changes.updates.map(\.key.id) == [id(1), id(2)] && changes.updates.allSatisfy { $0.expected == 1 })
        #expect(changes.deletes.map(\.key.id) == [id(3)] && changes.reads.map(\.key.id) == [id(4)])
        #expect(try await unit.saveIfNeeded())
        #expect(
            try await fixture.manager.read(Query<Person>()).entities.map(\.name) == [
                "Bea", "Cid", "Ann 4", "Ann 5", "Ann 6",
            ])
    }

    @Test func `a write keeps what it reads until it ends`() async throws {
        let unit = UnitOfWork(fixture.store, keptBytes: 0, readLimit: 1_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...6 as ClosedRange<UInt64> {
                group.addTask { _ = try await unit.update(object(number, "Bea \(number)"), expecting: 1) }
                group.addTask {
                    for _ in 0..<50 {
                        let found = try await unit.read([id(number), id(7 - number)], of: PersonMapper.schema)
                        #expect(found.count == 2)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await unit.saveIfNeeded())
        #expect(try await fixture.manager.read(Query<Person>()).items.allSatisfy { $0.version == 2 })
    }

    @Test func `more roots than the limit are refused, and the unit remains usable`() async throws {
        let ids = (1...5).map { id($0) }
        _ = try await unit.read(Array(ids.prefix(4)), of: PersonMapper.schema)
        let error = await persistencyError { _ = try await unit.read([ids[4]], of: PersonMapper.schema) }
        guard case .unavailable(let trouble)? = error, trouble.reason == .tooLarge else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(trouble.message == "a transaction reads or writes at most 4 entities; use several")
        #expect(try await unit.read(ids[0], of: PersonMapper.schema)?.version == 1)
        #expect(try await unit.save(object(1, "Bea")) == .updated)
        #expect(try await unit.saveIfNeeded())
    }
}
