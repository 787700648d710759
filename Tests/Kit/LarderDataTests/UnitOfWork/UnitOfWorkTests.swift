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

    @Test func `it continues after a save, at the new versions`() async throws {
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

    /// In ascending order, no id is hashed.
    @Test(arguments: [[1, 2, 3, 3], [1, 2, 3, 1], [1, 2, 3, 2], [2, 1, 3, 2], [3, 2, 1, 1]] as [[UInt64]])
    func `a second creation of an id is a duplicate in any order of ids`(numbers: [UInt64]) async throws {
        for number in numbers.dropLast() {
            try await unit.create(try PersonMapper.storageObject(from: Person(number, "Ann")))
        }
        // Another schema may use the same id.
        let other = StorageObject(
            schema: SignMapper.schema, id: Person(numbers[2], "").id.rawValue, values: [.text("open")])
        try await unit.create(other)
        let again = try PersonMapper.storageObject(from: Person(numbers[3], "Bea"))
        await #expect(throws: PersistencyError.self) { try await unit.create(again) }
        await #expect(throws: PersistencyError.self) { try await unit.create(other) }
        #expect(unit.changeSet.inserts.map(\.id.low) == numbers.dropLast() + [numbers[2]])
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
