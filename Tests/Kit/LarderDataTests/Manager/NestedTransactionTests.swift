import LarderData
import LarderDomain
import LarderInfrastructure
import Synchronization
import Testing

@Suite("A transaction within a transaction")
struct NestedTransactionTests {
    /// Ends the body of a nested transaction.
    private struct Change: Error {}

    let fixture: Fixture
    let manager: StoreManager

    init() throws {
        fixture = try Fixture()
        manager = fixture.manager
    }

    @Test func `a nested transaction that throws leaves none of its changes, and its reads are judged`() async throws {
        let manager = manager
        for person in [Person(1, "Ann"), Person(2, "Bea"), Person(3, "Cid")] { try await manager.create(person) }
        let before = fixture.script.commits.count
        try await manager.transaction { unit in
            try await unit.update(Person(1, "Ann-Marie"))
            do {
                try await unit.transaction { inner in
                    try await inner.update(Person(1, "discarded"))
                    try await inner.delete(Person(2, "").id)
                    try await inner.create(Person(4, "discarded"))
                    _ = try await inner.read(Person(3, "").id)
                    throw Change()
                }
            } catch is Change {}
            #expect(try await unit.read(Person(1, "").id)?.name == "Ann-Marie")
            #expect(try await unit.read(Person(2, "").id)?.name == "Bea")
            #expect(try await unit.read(Query<Person>()).items.map(\.name) == ["Ann-Marie", "Bea", "Cid"])
            try await unit.create(Person(4, "Dora"))
            // A transaction of the outer manager is also nested.
            do {
                try await manager.transaction { inner in
                    try await inner.update(Person(4, "discarded"))
                    throw Change()
                }
            } catch is Change {}
        }
        let changes = try #require(fixture.commits(after: before).first)
        #expect(fixture.commits(after: before).count == 1)
        #expect(changes.updates.map(\.key.id) == [Person(1, "").id.rawValue] && changes.deletes.isEmpty)
        #expect(changes.inserts.map(\.values) == [[.text("Dora")]])
        #expect(Set(changes.reads.map(\.key.id)) == [Person(2, "").id.rawValue, Person(3, "").id.rawValue])
    }

    @Test func `nested transactions keep and discard by level`() async throws {
        let manager = manager
        try await manager.transaction { unit in
            do {
                try await unit.transaction { middle in
                    try await middle.create(Person(1, "Ann"))
                    try await middle.transaction { try await $0.create(Person(2, "Bea")) }
                    throw Change()
                }
            } catch is Change {}
            try await unit.transaction { middle in
                try await middle.create(Person(3, "Cid"))
                do {
                    try await middle.transaction { inner in
                        try await inner.update(Person(3, "discarded"))
                        throw Change()
                    }
                } catch is Change {}
            }
        }
        #expect(try await manager.read(Query<Person>()).items.map(\.name) == ["Cid"])
    }

    @Test func `a change that another task based on a discarded one makes the transaction run again`() async throws {
        let manager = manager
        try await manager.create(Person(1, "Ann"))
        let runs = Mutex(0)
        try await manager.transaction { unit in
            let isFirst = runs.withLock { runs in
                runs += 1
                return runs == 1
            }
            do {
                try await unit.transaction { inner in
                    try await inner.update(Person(1, "discarded"))
                    if isFirst { try await unit.update(Person(1, "based on it")) }
                    throw Change()
                }
            } catch is Change {}
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(try await manager.read(Person(1, "").id)?.name == "Ann")
    }

    @Test func `the manager of a nested transaction plans nothing after its end`() async throws {
        let manager = manager
        try await manager.transaction { unit in
            let late = try await unit.transaction { $0 }
            let error = await persistencyError { try await late.create(Person(1, "Ann")) }
            guard case .outsideTransaction = error else { return #expect(Bool(false), "\(error as Any)") }
        }
    }
}
