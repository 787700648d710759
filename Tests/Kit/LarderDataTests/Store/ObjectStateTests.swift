import LarderData
import LarderDomain
import Testing

@Suite("The state of a store that keeps storage objects")
struct ObjectStateTests {
    private let empty: ObjectState<[EntityKey: StorageObject]>

    init() throws {
        empty = ObjectState(schemas: try MapperSet(Fixture.mappers).schemas, table: [:])
    }

    @Test func `restores roots at their versions before their targets, each once`() throws {
        var state = empty
        let owner = Person(1, "Ann")
        let first = Shop(1, motto: "open", owner: owner.id, shelves: [Shelf(1, "top")])
        var shop = try ShopMapper.storageObject(from: first)
        shop.version = 7
        try state.restore(shop)
        try state.restore(PersonMapper.storageObject(from: owner))
        #expect(state.table[EntityKey(shop.schema, shop.id)]?.version == 7)
        #expect(state.sequence == 0 && state.rowsWritten == 0)
        for (other, columns) in [
            (Shop(1), ["id"]), (Shop(2, motto: "open"), ["motto"]), (Shop(2, shelves: [Shelf(1, "top")]), ["id"]),
        ] {
            let object = try ShopMapper.storageObject(from: other)
            #expect(columns == duplicate { () throws(PersistencyError) in try state.restore(object) }?.columns)
        }
        #expect(state.table.count == 2)
    }

    @Test func `counts stored change sets only, and is unchanged by a refused one`() throws {
        var state = empty
        let shop = try ShopMapper.storageObject(from: Shop(1, shelves: [Shelf(1, "top")]))
        try state.commit(ChangeSet())
        #expect(state.sequence == 0)
        try state.commit(ChangeSet(inserts: [shop]))
        #expect(state.sequence == 1 && state.rowsWritten == 2)
        let other = try ShopMapper.storageObject(from: Shop(2))
        let inserts = ChangeSet(inserts: [other, shop])
        #expect(duplicate { () throws(PersistencyError) in try state.commit(inserts) }?.existing == shop.id)
        #expect(state.sequence == 1 && state.rowsWritten == 2 && state.table.count == 1)
    }

    private func duplicate(_ body: () throws(PersistencyError) -> Void) -> Duplicate? {
        do throws(PersistencyError) {
            try body()
            return nil
        } catch {
            if case .duplicate(let duplicate) = error { return duplicate }
            return nil
        }
    }
}
