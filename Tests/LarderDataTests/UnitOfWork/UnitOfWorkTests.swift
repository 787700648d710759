import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

@Suite("A unit of work knows what it would store")
struct UnitOfWorkTests {
    let fixture: Fixture
    let unit: UnitOfWork

    init() throws {
        fixture = try Fixture()
        unit = UnitOfWork(fixture.store)
    }

    @Test func `it has changes exactly when something differs`() async throws {
        let ann = try PersonMapper.storageObject(from: Person(1, "Ann"))
        let bea = try PersonMapper.storageObject(from: Person(1, "Bea"))
        #expect(!unit.hasChanges)
        #expect(try await unit.save(ann) == .inserted)
        #expect(unit.hasChanges)
        #expect(try await unit.saveIfNeeded())
        #expect(!unit.hasChanges)
        #expect(try await unit.save(ann) == .unchanged)
        #expect(try await unit.save(bea) == .updated)
        #expect(unit.hasChanges)
        #expect(try await unit.save(ann) == .updated)
        #expect(!unit.hasChanges)
        #expect(try await !unit.saveIfNeeded())
    }

    @Test func `it goes on after a save, at the new versions`() async throws {
        for (number, name) in ["Ann", "Bea", "Cid"].enumerated() {
            try await unit.save(try PersonMapper.storageObject(from: Person(1, name)))
            try await unit.saveIfNeeded()
            let stored = try await fixture.store.read(Person(1, "").id.rawValue, of: PersonMapper.schema)
            #expect(stored?.version == Int64(number + 1))
        }
        try await unit.delete(EntityKey(PersonMapper.schema, Person(1, "").id.rawValue), expecting: 3)
        #expect(try await unit.saveIfNeeded())
        #expect(try await unit.read(Person(1, "").id.rawValue, of: PersonMapper.schema) == nil)
    }

    @Test func `its change set can be read without being stored`() async throws {
        try await unit.create(try PersonMapper.storageObject(from: Person(1, "Ann")))
        _ = try await unit.read(Person(2, "").id.rawValue, of: PersonMapper.schema)
        let changes = unit.changeSet
        #expect(changes.inserts.map(\.id.low) == [1])
        #expect(
            changes.reads == [RootExpectation(EntityKey(PersonMapper.schema, Person(2, "").id.rawValue), version: nil)])
        #expect(fixture.script.commits.isEmpty)
    }
}
