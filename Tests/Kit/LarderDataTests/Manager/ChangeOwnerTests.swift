import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

@Suite("A change carries the owner that it is judged by")
struct ChangeOwnerTests {
    @Test func `of inserted, moved, changed and deleted entities`() async throws {
        let fixture = try Fixture()
        let manager = fixture.manager
        let (ann, bea) = (Person(1, "Ann"), Person(2, "Bea"))
        for person in [ann, bea] { try await manager.create(person) }
        var changes = await fixture.store.changes().makeAsyncIterator()
        try await manager.create(Shop(1, owner: ann.id))
        try await manager.update(Shop(1, owner: bea.id))
        try await manager.transaction { manager in try await manager.update(Shop(1, staff: 1, owner: bea.id)) }
        try await manager.delete(Shop(1).id)
        try await manager.delete(ann.id)
        var owners: [RawID?] = []
        while owners.count < 5, case .commit(let commit)? = await changes.next() {
            owners += commit.entries.map(\.owner)
        }
        #expect(owners == [ann.id, bea.id, bea.id, bea.id, nil].map { $0?.rawValue })
    }
}
