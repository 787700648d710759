import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

@Suite("A deletion follows the rules of the references to its roots")
struct DeleteRuleTests {
    let fixture: Fixture
    let manager: StoreManager

    init() throws {
        fixture = try Fixture()
        manager = fixture.manager
    }

    @Test func `owned and cascading roots are deleted, too`() async throws {
        try await manager.create(Sign(1))
        try await manager.create(Shop(1, sign: Sign(1).id, shelves: [Shelf(1, "top")]))
        try await manager.create(Rating(1, of: Shop(1).id, stars: 5))
        try await manager.delete(Shop(1).id)
        #expect(try await manager.read(Sign(1).id) == nil)
        #expect(try await manager.read(Rating(1, of: Shop(1).id, stars: 5).id) == nil)
        #expect(fixture.script.commits.last?.deletes.count == 3)
    }

    @Test func `a column becomes nil, a link leaves its list, and nothing else of the referrer is touched`()
        async throws
    {
        let (ann, bea) = (Person(1, "Ann"), Person(2, "Bea"))
        for person in [ann, bea] { try await manager.create(person) }
        var shop = Shop(
            1, shelves: [Shelf(1, "kept", boxes: [Box(1, packedBy: ann.id), Box(2)])],
            regulars: [ann.id, bea.id, ann.id])
        try await manager.create(shop)
        try await manager.delete(ann.id)
        shop.regulars = [bea.id]
        shop.shelves[0].boxes[0].packedBy = nil
        #expect(try await manager.read(shop.id) == Stored(shop, version: 2))
        let changes = try #require(fixture.script.commits.last)
        #expect(changes.updates.isEmpty && changes.reads.isEmpty)
        #expect(changes.removals.map(\.reference.names) == [["regulars"], ["shelves", "boxes", "packed_by"]])
    }

    @Test func `an owned object that cascades leaves its aggregate`() async throws {
        let ann = Person(1, "Ann")
        try await manager.create(ann)
        try await manager.create(Shop(1, shelves: [Shelf(1, "hers", supplier: ann.id), Shelf(2, "other")]))
        try await manager.delete(ann.id)
        #expect(try await manager.read(Shop(1).id)?.shelves.map(\.label) == ["other"])
    }

    @Test func `a rule that refuses leaves everything as it was`() async throws {
        let ann = Person(1, "Ann")
        try await manager.create(ann)
        try await manager.create(Shop(1, owner: ann.id))
        try await manager.create(Shop(2, regulars: [ann.id]))
        let error = await persistencyError { try await manager.delete(ann.id) }
        guard case .refused(let refusal) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(refusal.entity == "shop" && refusal.column == "owner" && refusal.example == Shop(1).id.rawValue)
        try await manager.transaction { manager in
            let inside = await persistencyError { try await manager.delete(ann.id) }
            guard case .refused = inside else { return #expect(Bool(false), "\(inside as Any)") }
            #expect(try await manager.read(Shop(2).id)?.regulars == [ann.id])
            try await manager.delete(Shop(1).id)
            try await manager.delete(ann.id)
        }
        #expect(try await manager.read(Shop(2).id)?.regulars == [])
    }

    @Test func `circles end`() async throws {
        try await manager.create(Shop(1))
        try await manager.create(Shop(2, branchOf: Shop(1).id))
        try await manager.update(Shop(1, branchOf: Shop(2).id))
        try await manager.delete(Shop(1).id)
        #expect(try await manager.read(Shop(2).id)?.branchOf == .some(nil))
    }

    @Test func `a new reference to a root that is being deleted is treated by the rules, too`() async throws {
        let manager = manager
        let ann = Person(1, "Ann")
        try await manager.create(ann)
        fixture.script.beforeCommit { changes in
            guard changes.deletes.count == 1, changes.updates.isEmpty else { return }
            _ = try? await manager.create(Shop(1, regulars: [ann.id]))
        }
        try await manager.delete(ann.id)
        #expect(try await manager.read(Shop(1).id)?.regulars == [])
    }

    @Test func `a version that is not the stored one is a conflict`() async throws {
        try await manager.create(Person(1, "Ann"))
        let error = await persistencyError { try await manager.delete(Person(1, "").id, expecting: 2) }
        guard case .conflict = error else { return #expect(Bool(false), "\(error as Any)") }
        try await manager.delete(Person(1, "").id, expecting: 1)
    }
}
