import LarderData
import LarderDomain
import LarderInfrastructure
import LarderTesting
import Testing

/// An entity for the fixtures.
struct Book: Entity {
    let id: EntityID<Book>
    var title: String
}

enum BookMapper: EntityMapper {
    static let mapping = Mapping<Book>("book", id: \.id, [.column("title", \.title)])

    static func entity(from row: inout ObjectReader) throws -> Book { try Book(id: row.id(), title: row.next()) }
}

/// Each finding about stores has a fixture that produces it.
struct StoreTestingTests {
    /// A use case over a store in memory, with a plan of failures.
    private struct Fixture {
        let faults = WriteFaults()
        let ids = CountingIDs()
        let manager: any PersistencyManager

        init() throws {
            let mappers = try MapperSet([BookMapper.self])
            manager = faults.manager(
                over: StoreManager(faults.store(over: MemoryStore(mappers.schemas)), mappers: mappers))
        }

        func report(_ useCase: (any PersistencyManager) async throws -> Void) async throws -> WriteFaults.Report {
            try await faults.report {
                try await manager.read(Query<Book>()).items
            } of: {
                try await useCase(manager)
            }
        }

        var book: Book { Book(id: EntityID(ids.next()), title: "Emma") }
    }

    @Test func `two writes in one transaction are atomic`() async throws {
        let fixture = try Fixture()
        let report = try await fixture.report { manager in
            try await manager.transaction { unit in
                _ = try await unit.create(fixture.book)
                _ = try await unit.save(fixture.book)
            }
        }
        #expect(report.writes == 2)
        #expect(report.findings == [])
    }

    @Test func `two writes without a transaction leave the first`() async throws {
        let fixture = try Fixture()
        let report = try await fixture.report { manager in
            _ = try await manager.create(fixture.book)
            _ = try await manager.create(fixture.book)
        }
        #expect(report.findings == ["write 2 failed, and the state has changed"])
    }

    @Test func `a use case that ignores a failure is found`() async throws {
        let fixture = try Fixture()
        let report = try await fixture.report { manager in _ = try? await manager.create(fixture.book) }
        #expect(report.findings == ["the commit failed, and the use case reported success"])
        let continued = try await fixture.report { manager in
            try await manager.transaction { unit in
                let created = try? await unit.create(fixture.book)
                _ = try await unit.create(fixture.book)
                if created == nil { throw WriteFaults.error }
            }
        }
        #expect(continued.findings == ["write 1 failed, and the use case continued"])
    }

    @Test func `a use case that hides the cause is found`() async throws {
        struct Hidden: Error {}
        let fixture = try Fixture()
        let report = try await fixture.report { manager in
            do {
                _ = try await manager.create(fixture.book)
            } catch {
                throw Hidden()
            }
        }
        #expect(report.findings.count == 1)
        #expect(report.findings.first?.hasPrefix("the commit failed, and the use case threw Hidden") == true)
    }

    @Test func `a state that does not show the change is found`() async throws {
        let fixture = try Fixture()
        let report = try await fixture.faults.report {
            0
        } of: {
            _ = try await fixture.manager.create(fixture.book)
        }
        #expect(report.findings == ["the use case changes nothing"])
    }

    @Test(arguments: StoreKind.allCases) func `a kind of store opens an empty store`(kind: StoreKind) async throws {
        let mappers = try MapperSet([BookMapper.self])
        try await kind.withStore(mappers.schemas) { store in
            let manager = StoreManager(store, mappers: mappers)
            try await manager.create(Book(id: EntityID(CountingIDs().next()), title: "Emma"))
            #expect(try await manager.read(Query<Book>()).items.count == 1)
        }
    }

    @Test func `a budget is exceeded, is kept, and is not counted`() async throws {
        let mappers = try MapperSet([BookMapper.self])
        try await StoreKind.sqlite.withStore(mappers.schemas) { store in
            let manager = StoreManager(store, mappers: mappers)
            func read(times: Int) async throws {
                for _ in 0..<times { _ = try await manager.read(Query<Book>()) }
            }
            let budget = StatementBudget(atMost: 1)
            let kept = try await budget.findings(on: store) { try await read(times: 1) }
            #expect(kept == [])
            let exceeded = try await budget.findings(on: store) { try await read(times: 2) }
            #expect(exceeded == ["2 statements, and the budget is 1"])
            let none = try await budget.findings(on: store) {}
            #expect(none == ["no statement was counted, and the budget is 1"])
        }
        await #expect(throws: StatementBudget.NotCounted.self) {
            _ = try await StatementBudget(atMost: 1).findings(on: MemoryStore(mappers.schemas)) {}
        }
    }

    @Test func `a gated store delays commits, lets them fail, and counts reads`() async throws {
        let mappers = try MapperSet([BookMapper.self])
        let store = GatedStore(KeptStore(MemoryStore(mappers.schemas)))
        let manager = StoreManager(store, mappers: mappers)
        let (first, second) = (Book(id: EntityID(RawID(high: 1, low: 1)), title: "A"), "B")
        await store.gate.close()
        let writing = Task { try await manager.create(first) }
        await store.gate.arrival()
        #expect(try await manager.read(Query<Book>()).items.isEmpty && store.reads == 1 && store.lastSequence == 0)
        await store.gate.open()
        _ = try await writing.value
        #expect(store.lastSequence > 0)
        store.commitFailure = WriteFaults.error
        await #expect(throws: PersistencyError.self) { try await manager.save(Book(id: first.id, title: second)) }
        await store.close()
        #expect(try await manager.read(Query<Book>()).items.map(\.entity.title) == ["A"])
    }
}
