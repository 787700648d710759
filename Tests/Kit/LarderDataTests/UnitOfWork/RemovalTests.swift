#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

@Suite("A deletion removes references from entities that the unit has not read")
struct RemovalTests {
    /// Ends the body of a nested transaction.
    private struct Change: Error {}

    let fixture: Fixture
    let manager: StoreManager
    let ann = Person(1, "Ann")
    let bea = Person(2, "Bea")

    init() async throws {
        fixture = try Fixture()
        manager = fixture.manager
        for person in [ann, bea] { try await manager.create(person) }
    }

    private var last: ChangeSet? { fixture.script.commits.last { !$0.isEmpty } }

    private func shop(_ number: UInt64) async throws -> Stored<Shop>? { try await manager.read(Shop(number).id) }

    @Test func `the change set does not grow with the entities that refer`() async throws {
        var bytes: [Int] = []
        for (person, count) in [(ann, 1), (bea, 300)] {
            for number in 1...count {
                try await manager.save(Shop(UInt64(number), regulars: [person.id]))
            }
            let before = fixture.script.calls.count
            try await manager.delete(person.id)
            bytes.append(try #require(last).byteCount)
            #expect(last?.removals.count == 1 && last?.updates.isEmpty == true)
            let limits = fixture.script.calls.dropFirst(before).compactMap { call in
                if case .query(let request) = call { request.limit ?? .max } else { nil }
            }
            // The query for the shelves that are deleted with their supplier has no limit.
            #expect(limits.count { $0 > 1 } == 1)
        }
        #expect(bytes[0] == bytes[1])
        #expect(try await shop(300)?.entity.regulars == [])
    }

    @Test func `nothing is removed where nothing refers, and a root that was never stored changes nothing`()
        async throws
    {
        try await manager.create(Shop(1, regulars: [bea.id]))
        try await manager.delete(ann.id)
        #expect(last?.removals.isEmpty == true)
        let count = fixture.script.commits.count { !$0.isEmpty }
        try await manager.transaction { unit in
            try await unit.create(Person(3, "Cid"))
            try await unit.delete(Person(3, "").id)
        }
        #expect(fixture.script.commits.count { !$0.isEmpty } == count)
    }

    @Test func `reads and queries of the unit show the state after the removal`() async throws {
        let manager = manager
        try await manager.create(
            Shop(1, shelves: [Shelf(1, "a", boxes: [Box(1, packedBy: ann.id)])], regulars: [ann.id]))
        try await manager.create(Shop(2, regulars: [ann.id, bea.id]))
        try await manager.create(Shop(3, name: "other", regulars: [bea.id]))
        try await manager.transaction { unit in
            _ = try await unit.read(Shop(2).id)
            try await unit.delete(ann.id)
            #expect(try await unit.read(Shop(1).id)?.entity.regulars == [])
            #expect(try await unit.read(Shop(2).id)?.entity.regulars == [bea.id])
            let query = Query<Shop>(#Predicate { $0.regulars.isEmpty }, includesTotal: true)
            let page = try await unit.read(query)
            #expect(page.items.map(\.id) == [Shop(1).id] && page.total == 1)
            #expect(page.entities[0].shelves[0].boxes[0].packedBy == nil)
        }
        #expect(last?.removals.count == 2 && last?.updates.isEmpty == true)
        #expect(Set(last?.reads.map(\.key.id.low) ?? []) == [1, 2])
        #expect(try await shop(1)?.version == 2)
        #expect(try await shop(2)?.version == 2)
        #expect(try await shop(3)?.version == 1)
    }

    @Test func `a shop that is changed before or after the deletion keeps the change, and rises once`() async throws {
        let manager = manager
        for number in 1...2 as ClosedRange<UInt64> {
            try await manager.create(Shop(number, regulars: [ann.id, bea.id]))
        }
        try await manager.transaction { unit in
            try await unit.update(Shop(1, name: "first", regulars: [ann.id, bea.id]))
            try await unit.delete(ann.id)
            try await unit.update(Shop(2, name: "second", regulars: [bea.id, bea.id]))
        }
        #expect(try await shop(1) == Stored(Shop(1, name: "first", regulars: [bea.id]), version: 2))
        #expect(try await shop(2) == Stored(Shop(2, name: "second", regulars: [bea.id, bea.id]), version: 2))
    }

    @Test func `a reference that is written after its target was deleted is refused, and not taken away`() async throws
    {
        let manager = manager
        try await manager.create(Shop(1, regulars: [ann.id]))
        let count = fixture.script.commits.count
        let error = await persistencyError {
            try await manager.transaction { unit in
                try await unit.delete(ann.id)
                try await unit.update(Shop(1, name: "new", regulars: [ann.id]))
            }
        }
        guard case .dangling(let dangling) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(dangling == Dangling(entity: "shop", column: "regulars", id: ann.id.rawValue))
        #expect(fixture.script.commits.count == count)
        #expect(try await shop(1)?.version == 1)
    }

    @Test func `a target that is created again keeps the references that are written after`() async throws {
        let manager = manager
        for number in 1...2 as ClosedRange<UInt64> { try await manager.create(Shop(number, regulars: [ann.id])) }
        try await manager.transaction { unit in
            try await unit.delete(ann.id)
            try await unit.create(Person(1, "Anna"))
            try await unit.update(Shop(1, name: "new", regulars: [ann.id]))
        }
        #expect(last?.removals.isEmpty == true)
        #expect(try await shop(1)?.entity.regulars == [ann.id])
        #expect(try await shop(2) == Stored(Shop(2), version: 2))
        #expect(try await manager.read(ann.id)?.entity.name == "Anna")
    }

    @Test(arguments: [false, true])
    func `a nested transaction that throws discards its removals`(creates: Bool) async throws {
        let manager = manager
        for number in 1...2 as ClosedRange<UInt64> {
            try await manager.create(Shop(number, regulars: [ann.id, bea.id]))
        }
        try await manager.transaction { unit in
            try await unit.delete(bea.id)
            do {
                try await unit.transaction { inner in
                    try await inner.delete(ann.id)
                    #expect(try await inner.read(Shop(1).id)?.entity.regulars == [])
                    #expect(try await inner.read(Query<Shop>()).entities.map(\.regulars) == [[], []])
                    if creates {
                        try await inner.create(Person(1, "discarded"))
                        try await inner.create(Person(2, "discarded"))
                    }
                    throw Change()
                }
            } catch is Change {}
            #expect(try await unit.read(Query<Shop>()).entities.map(\.regulars) == [[ann.id], [ann.id]])
        }
        #expect(last?.removals.map(\.target) == [bea.id.rawValue])
        #expect(try await manager.read(ann.id)?.version == 1)
        for number in 1...2 as ClosedRange<UInt64> {
            #expect(try await shop(number) == Stored(Shop(number, regulars: [ann.id]), version: 2))
        }
    }

    @Test func `a unit continues after its removals, at the new versions`() async throws {
        try await manager.create(Shop(1, regulars: [ann.id]))
        let unit = UnitOfWork(fixture.store)
        let shop = try #require(try await unit.read(Shop(1).id.rawValue, of: ShopMapper.schema))
        try await unit.delete(EntityKey(PersonMapper.schema, ann.id.rawValue), expecting: 1)
        #expect(try await unit.saveIfNeeded())
        #expect(!unit.hasChanges)
        var changed = shop
        (changed.values[0], changed.links[0]) = (.text("new"), [])
        try await unit.update(changed, expecting: 2)
        #expect(try await unit.saveIfNeeded())
        #expect(try await self.shop(1)?.version == 3)
    }
}
