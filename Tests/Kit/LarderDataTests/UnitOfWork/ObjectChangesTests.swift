import LarderData
import LarderDomain
import Testing

@Suite("A difference applied to the older object results in the newer one")
struct ObjectChangesTests {
    static let versions: [Shop] = [
        Shop(1),
        Shop(1, name: "b", regulars: [Person(1, "").id]),
        Shop(1, name: "b", shelves: [Shelf(1, "a"), Shelf(2, "b", boxes: [Box(1), Box(2)])]),
        Shop(1, name: "b", shelves: [Shelf(2, "b", boxes: [Box(2, weight: 7)]), Shelf(3, "c"), Shelf(1, "a")]),
        Shop(1, staff: 2, shelves: [Shelf(3, "c", boxes: [Box(2)])], regulars: [3, 1, 2].map { Person($0, "").id }),
        Shop(1, staff: 2, regulars: [1, 2].map { Person($0, "").id }),
    ]

    @Test(arguments: versions.indices, versions.indices)
    func `between any two versions`(_ old: Int, _ new: Int) throws {
        let (from, to) = (
            try ShopMapper.storageObject(from: Self.versions[old]),
            try ShopMapper.storageObject(from: Self.versions[new])
        )
        let changes = ObjectChanges(from: from, to: to)
        #expect(from.applying(changes) == to)
        #expect(changes.isEmpty == (old == new))
    }

    @Test func `children that did not change are not in it, a moved one only as moved`() throws {
        let from = try ShopMapper.storageObject(from: Shop(1, shelves: [Shelf(1, "a"), Shelf(2, "b"), Shelf(3, "c")]))
        let to = try ShopMapper.storageObject(from: Shop(1, shelves: [Shelf(1, "a"), Shelf(3, "c"), Shelf(2, "b")]))
        let changes = ObjectChanges(from: from, to: to).children
        #expect(changes.map(\.id.low) == [3, 2])
        #expect(changes.map(\.kind) == [.update(position: 1, ObjectChanges()), .update(position: 2, ObjectChanges())])
    }

    @Test func `a list of links is written where it differs`() throws {
        func shop(_ people: [UInt64]) throws -> StorageObject {
            try ShopMapper.storageObject(from: Shop(1, regulars: people.map { Person($0, "").id }))
        }
        let changes = ObjectChanges(from: try shop([1, 2, 3, 4]), to: try shop([1, 9, 3])).links
        #expect(changes.map(\.places) == [[LinkPlace(position: 1, id: Person(9, "").id.rawValue)]])
        #expect(changes.map(\.count) == [3])
    }
}
