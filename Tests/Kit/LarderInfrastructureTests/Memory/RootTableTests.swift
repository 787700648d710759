import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

struct RootTableTests {
    private let schema = EntitySchema(name: "thing", columns: [Column(name: "number", type: .integer)])

    private func thing(_ id: UInt64, _ number: Int64 = 0) -> StorageObject {
        StorageObject(schema: schema, id: RawID(high: 0, low: id), values: [.integer(number)])
    }

    @Test(arguments: [UInt64(1), 7, 4093])
    func `a table has the entries of a dictionary, in the order of ids, in any order of insertion`(step: UInt64) {
        var table = RootTable()
        var model: [RawID: StorageObject] = [:]
        for round in 0..<4000 as Range<UInt64> {
            // A step that is coprime to the prime 4099 reaches every id once, in ascending or scattered order.
            let object = thing(round * step % 4099, Int64(round))
            table.put(object)
            model[object.id] = object
            if round % 3 == 2 {
                let gone = RawID(high: 0, low: (round - 1) * step % 4099)
                table.remove(gone)
                model[gone] = nil
            }
        }
        #expect(Array(table.roots.chunks.joined()) == model.values.sorted { $0.id < $1.id })
        #expect(table.roots.chunks.allSatisfy { !$0.isEmpty && $0.count <= SortedChunks<StorageObject>.chunkSize })
        for id in 0..<4099 as Range<UInt64> {
            let id = RawID(high: 0, low: id)
            #expect(table[id] == model[id])
        }
    }

    @Test func `ids that rise leave full chunks behind`() {
        var table = RootTable()
        for id in 1...1024 as ClosedRange<UInt64> { table.put(thing(id)) }
        #expect(table.roots.chunks.map(\.count) == [256, 256, 256, 256])
    }

    @Test func `a copy stays as it was`() {
        var table = RootTable()
        for id in 1...600 as ClosedRange<UInt64> { table.put(thing(id)) }
        let copy = table
        table.put(thing(300, 1))
        table.remove(RawID(high: 0, low: 301))
        #expect(copy[RawID(high: 0, low: 300)] == thing(300))
        #expect(copy[RawID(high: 0, low: 301)] != nil)
        #expect(table[RawID(high: 0, low: 300)] == thing(300, 1))
    }

    @Test func `a table that empties has no chunks, and few when little is left`() {
        var table = RootTable()
        for id in 0..<2048 as Range<UInt64> { table.put(thing(id)) }
        for id in 0..<2048 as Range<UInt64> where id % 64 != 0 { table.remove(RawID(high: 0, low: id)) }
        #expect(table.roots.chunks.joined().count == 32)
        #expect(table.roots.chunks.count == 1)
        for id in 0..<2048 as Range<UInt64> { table.remove(RawID(high: 0, low: id)) }
        #expect(table.roots.chunks.isEmpty)
    }
}
