import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

@Suite("A graph is loaded by types, not by rows")
struct GraphTests {
    private let edges = [
        GraphEdge { (shop: Shop) in shop.regulars }, GraphEdge { (shop: Shop) in shop.branchOf.map { [$0] } ?? [] },
    ]

    @Test func `each entity once, circles ended, reads in proportion to edges and distance`() async throws {
        let fixture = try Fixture()
        let manager = fixture.manager
        try await manager.transaction { manager in
            for number in 1...50 { try await manager.create(Person(UInt64(number), "p\(number)")) }
            let regulars = (1...50).map { Person($0, "").id }
            // A cycle in one commit, in either order.
            try await manager.create(Shop(1, branchOf: Shop(2).id, regulars: regulars))
            try await manager.create(Shop(2, branchOf: Shop(1).id, regulars: regulars))
        }
        let root = try await manager.require(Shop(1).id)
        let before = fixture.script.calls.count
        let graph = try await manager.graph(from: [root], following: edges)
        #expect(fixture.script.calls.count - before == 2)
        #expect(graph.all(Person.self).count == 50 && graph.all(Shop.self).map(\.id) == [Shop(1).id, Shop(2).id])
        #expect(graph[Person(7, "").id]?.name == "p7")
        #expect(graph[Sign(1).id] == nil && graph.all(Sign.self).isEmpty)
    }

    @Test func `references to nothing are left out`() async throws {
        let manager = try Fixture().manager
        let graph = try await manager.graph(
            from: [Stored(Shop(1, regulars: [Person(1, "").id]), version: 1)], following: edges)
        #expect(graph.all(Person.self).isEmpty && graph.all(Shop.self).count == 1)
    }
}
