import LarderData
import LarderDomain
import LarderInfrastructure
import Synchronization
import Testing

@Suite("A manager keeps entities")
struct ManagerTests {
    let fixture: Fixture
    let manager: StoreManager

    init() throws {
        fixture = try Fixture()
        manager = fixture.manager
    }

    @Test func `a created entity is read back completely, at version 1`() async throws {
        let person = Person(1, "Ann")
        let sign = Sign(1)
        try await manager.create(person)
        try await manager.create(sign)
        let shop = Shop(
            1, name: "corner", motto: "fresh", staff: 3, rent: 12.5, isOpen: true, opened: 77,
            founded: CalendarDay(year: 1999, month: 12, day: 31), logo: [1, 0, 255], sign: sign.id, owner: person.id,
            shelves: [Shelf(1, "top", boxes: [Box(1), Box(2, packedBy: person.id)]), Shelf(2, "low")],
            regulars: [person.id, person.id])
        #expect(try await manager.create(shop).version == 1)
        #expect(try await manager.read(shop.id) == Stored(shop, version: 1))
    }

    @Test func `creating an existing entity is a duplicate`() async throws {
        try await manager.create(Person(1, "Ann"))
        let byID = await persistencyError { try await manager.create(Person(1, "Bea")) }
        guard case .duplicate(let duplicate) = byID else { return #expect(Bool(false), "\(byID as Any)") }
        #expect(duplicate == Duplicate(entity: "person", columns: ["id"], existing: Person(1, "").id.rawValue))
        let byName = await persistencyError { try await manager.create(Person(2, "Ann")) }
        guard case .duplicate(let other) = byName else { return #expect(Bool(false), "\(byName as Any)") }
        #expect(other.columns == ["name"] && other.existing == duplicate.existing)
    }

    @Test func `an owned object whose id is taken is a duplicate at once`() async throws {
        let retries = Mutex(0)
        let fixture = try Fixture(
            retry: RetryPolicy(sleep: { _ in }, onRetry: { _ in retries.withLock { $0 += 1 } }))
        try await fixture.manager.create(Shop(1, shelves: [Shelf(1, "top")]))
        try await fixture.manager.create(Shop(2))
        for shop in [Shop(2, shelves: [Shelf(1, "mine")]), Shop(3, shelves: [Shelf(1, "mine")])] {
            let error = await persistencyError { try await fixture.manager.save(shop) }
            guard case .duplicate(let duplicate) = error else { return #expect(Bool(false), "\(error as Any)") }
            #expect(duplicate.entity == "shelf" && duplicate.columns == ["id"])
        }
        #expect(retries.withLock { $0 } == 0)
    }

    @Test func `a save reports its outcome, and an unchanged one commits nothing`() async throws {
        var shop = Shop(1)
        #expect(try await manager.save(shop).outcome == .inserted)
        #expect(try await manager.save(shop) == Saved(.unchanged, Stored(shop, version: 1)))
        shop.rent = 2
        #expect(try await manager.save(shop) == Saved(.updated, Stored(shop, version: 2)))
        #expect(fixture.script.commits.count == 2)
    }

    @Test func `an update writes the columns that differ and no others`() async throws {
        var shop = Shop(1, shelves: [Shelf(1, "top"), Shelf(2, "low", boxes: [Box(1)])])
        try await manager.create(shop)
        shop.name = "renamed"
        shop.shelves[1].boxes[0].weight = 5
        shop.shelves.append(Shelf(3, "new"))
        try await manager.update(shop)
        let changes = try #require(fixture.commits(after: 1).first?.updates.first?.changes)
        #expect(changes.columns.map { ShopMapper.schema.columns[$0.column].name } == ["name", "folded_name"])
        #expect(changes.links.isEmpty)
        #expect(changes.children.map(\.id.low) == [2, 3])
        #expect(try await manager.read(shop.id)?.entity == shop)
    }

    @Test func `an update that expects another version is a conflict with mine and theirs`() async throws {
        try await manager.create(Person(1, "Ann"))
        try await manager.update(Person(1, "Bea"), expecting: 1)
        let error = await persistencyError { try await manager.update(Person(1, "Cid"), expecting: 1) }
        guard case .conflict(let conflict) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(conflict.expected == 1 && conflict.found == 2)
        #expect(conflict.mine as? Person == Person(1, "Cid") && conflict.theirs as? Person == Person(1, "Bea"))
    }

    @Test func `an update that loses the race for its version reports its base`() async throws {
        let manager = manager
        try await manager.create(Person(1, "Ann"))
        fixture.script.beforeCommit { changes in
            guard changes.updates.first?.expected == 1, !changes.updates.isEmpty else { return }
            if changes.updates[0].changes.columns.first?.value == .text("Cid") {
                _ = try? await manager.update(Person(1, "Bea"), expecting: 1)
            }
        }
        let error = await persistencyError { try await manager.update(Person(1, "Cid"), expecting: 1) }
        guard case .conflict(let conflict) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(conflict.base as? Person == Person(1, "Ann"))
        #expect(conflict.theirs as? Person == Person(1, "Bea"))
        // A save expects no version: it reads again, and the last writer wins.
        #expect(try await manager.save(Person(1, "Dot")).outcome == .updated)
    }

    @Test func `a save that loses tries again, as often as its policy says`() async throws {
        let fixture = try Fixture(retry: RetryPolicy(attempts: 3, sleep: { _ in }))
        try await fixture.manager.create(Person(1, "Ann"))
        let reference = EntityReference(Person(1, "").id)
        for number in 2...3 {
            fixture.script.failCommit(number: number, with: .conflict(Conflict(reference, expected: 1, found: 2)))
        }
        #expect(try await fixture.manager.save(Person(1, "Bea")).outcome == .updated)
        for number in 5...7 {
            fixture.script.failCommit(number: number, with: .conflict(Conflict(reference, expected: 1, found: 2)))
        }
        let error = await persistencyError { try await fixture.manager.save(Person(1, "Cid")) }
        guard case .conflict = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(fixture.script.commits.count == 7)
    }

    @Test func `a missing entity cannot be updated, deleted or required`() async throws {
        let id = Person(9, "").id
        for error in [
            await persistencyError { try await manager.update(Person(9, "Ann")) },
            await persistencyError { try await manager.delete(id) },
            await persistencyError { _ = try await manager.require(id) },
        ] {
            guard case .notFound(let reference) = error else { return #expect(Bool(false), "\(error as Any)") }
            #expect(reference == EntityReference(id))
        }
        #expect(try await manager.read(id) == nil)
    }

    @Test func `entities are read in the order of the requested ids, without missing ones`() async throws {
        for number in 1...200 { try await manager.create(Person(UInt64(number), "p\(number)")) }
        let few = [7, 3, 999, 5].map { Person($0, "").id }
        #expect(try await manager.read(few).map(\.name) == ["p7", "p3", "p5"])
        let many = (1...300).reversed().map { Person($0, "").id }
        #expect(try await manager.read(many).map(\.name) == (1...200).reversed().map { "p\($0)" })
    }

    @Test func `an entity without a mapper is unknown`() async throws {
        let error = await persistencyError { try await manager.create(Shelf(1, "loose")) }
        guard case .unknownEntity("shelf") = error else { return #expect(Bool(false), "\(error as Any)") }
    }

    @Test func `counts come by column and by member of a relationship`() async throws {
        let people = [Person(1, "Ann"), Person(2, "Bea")]
        for person in people { try await manager.create(person) }
        try await manager.create(Shop(1, staff: 1, regulars: [people[0].id, people[1].id, people[0].id]))
        try await manager.create(Shop(2, staff: 1, regulars: [people[0].id]))
        try await manager.create(Shop(3))
        #expect(try await manager.counts(Query<Shop>(), by: .value(\.staff)) == [1: 2])
        let byRegular = try await manager.counts(Query<Shop>(), by: .members(\.regulars))
        #expect(byRegular == [people[0].id: 2, people[1].id: 1])
        #expect(try await manager.counts(Query<Shop>(), by: .size(\.shelves)) == [0: 3])
    }

    @Test func `replacing something owned through a reference deletes what it replaces`() async throws {
        try await manager.create(Sign(1))
        try await manager.create(Sign(2))
        var shop = Shop(1, sign: Sign(1).id)
        try await manager.create(shop)
        shop.sign = Sign(2).id
        #expect(try await manager.save(shop).outcome == .updated)
        #expect(try await manager.read(Sign(1).id) == nil)
        #expect(try await manager.read(Sign(2).id) != nil)
    }

    @Test func `every manager answers the question for a commit in doubt`() async throws {
        try await manager.create(Person(1, "Ann"))
        let stored = try #require(fixture.script.commits.last).id
        let guarded = GuardedManager(manager, policies: PolicySet([]))
        for manager in [manager, guarded] as [any PersistencyManager] {
            #expect(try await manager.outcome(of: stored) == .stored)
            #expect(try await manager.outcome(of: CommitID()) == .unknown)
            #expect(try await manager.transaction { try await $0.outcome(of: stored) } == .stored)
        }
    }

    @Test func `a live query whose stream ends while the store is open reads again, or throws the reason`() async throws
    {
        let store = EndingStore(base: fixture.store)
        let manager = StoreManager(store, mappers: try MapperSet(Fixture.mappers))
        var pages = try await manager.observe(Query<Person>()).makeAsyncIterator()
        #expect(try await pages.next(isolation: #isolation)?.entities == [])
        try await manager.create(Person(1, "Ann"))
        #expect(try await pages.next(isolation: #isolation)?.entities == [Person(1, "Ann")])
        store.isReplaced.withLock { $0 = true }
        await #expect(throws: PersistencyError.self) { try await pages.next(isolation: #isolation) }
    }
}

/// A store whose streams end at once, as those of a database that cannot be reached.
private final class EndingStore: StoreDecorator {
    let base: any Store
    let isReplaced = Mutex(false)

    init(base: any Store) { self.base = base }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        if isReplaced.withLock({ $0 }) { throw .unavailable(Unavailable(.failed, "replaced")) }
        return try await base.commit(changes)
    }

    func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> { AsyncStream { nil } }
}
