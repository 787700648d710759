import LarderDomain
import Testing

@testable import LarderData

@Suite("Aggregates that are copied to a buffer are lent as they are stored")
struct RowBufferTests {
    private let shops = (1...70 as ClosedRange<UInt64>).map { number in
        Shop(
            number, name: String(repeating: "name ", count: Int(number)), motto: number % 2 == 0 ? "" : nil, rent: 1.5,
            founded: CalendarDay("2026-11-20"), logo: number % 3 == 0 ? [1, 2, 3] : nil,
            owner: Person(number, "Ann").id,
            shelves: (0..<number % 5).map { shelf in
                Shelf(
                    number * 100 + shelf, "shelf \(shelf)",
                    boxes: (0..<shelf).map { Box(number * 1000 + shelf * 10 + $0, weight: Int($0)) })
            }, regulars: (0..<number % 4).map { Person($0, "").id })
    }

    /// Copies objects as a store does: table by table, the last row of each table first.
    private func copy(_ owners: [StorageObject], _ schema: EntitySchema, rows: Range<Int>, to buffer: inout RowBuffer) {
        for (index, _) in schema.links.enumerated() {
            let first = buffer.count
            for (owner, object) in zip(rows, owners).reversed() {
                for (position, target) in object.links[index].enumerated().reversed() {
                    let link = StorageObject(schema: schema, id: target, values: [])
                    append(link, Int64(position), owner: owner, to: &buffer)
                }
            }
            _ = buffer.endList(schema.children.count + index, from: first)
        }
        for (index, relationship) in schema.children.enumerated() {
            let first = buffer.count
            for (owner, object) in zip(rows, owners).reversed() {
                for (position, child) in object.children[index].enumerated().reversed() {
                    append(child, Int64(position), owner: owner, to: &buffer)
                }
            }
            let table = buffer.endList(index, from: first)
            copy(owners.flatMap { $0.children[index] }, relationship.schema, rows: table, to: &buffer)
        }
    }

    private func append(_ object: StorageObject, _ number: Int64, owner: Int = 0, to buffer: inout RowBuffer) {
        var bytes: [UInt8] = []
        let starts = object.values.map { value in
            defer {
                switch value {
                case .text(let text): bytes += Array(text.utf8)
                case .blob(let blob): bytes += blob
                case .id(let id):
                    for word in [id.high, id.low] {
                        unsafe withUnsafeBytes(of: word.bigEndian) { unsafe bytes += Array($0) }
                    }
                default: break
                }
            }
            return bytes.count
        }
        unsafe bytes.withUnsafeBytes { memory in
            let cells = object.values.indices.map { index in
                let end = index + 1 < starts.count ? starts[index + 1] : memory.count
                let part = unsafe UnsafeRawBufferPointer(rebasing: memory[starts[index]..<end])
                return switch object.values[index] {
                case .null: Cell.null
                case .integer(let integer): Cell.integer(integer)
                case .real(let real): Cell.real(real)
                case .text: unsafe Cell.text(part)
                case .blob, .id: unsafe Cell.blob(part)
                }
            }
            unsafe cells.withUnsafeBufferPointer {
                let lists = object.children.count + object.links.count
                unsafe buffer.append(object.id, number, owner: owner, lists: lists, $0)
            }
        }
    }

    private func lend(_ objects: [StorageObject], to body: @escaping RowBody) throws {
        var buffer = RowBuffer()
        for round in 0...1 {
            for object in objects { append(object, object.version, to: &buffer) }
            copy(objects, ShopMapper.schema, rows: 0..<objects.count, to: &buffer)
            if round == 1 { try buffer.lend(0..<objects.count, of: ShopMapper.schema, to: body) }
            buffer.removeAll()
        }
    }

    @Test func `copies and entities are equal to the stored ones, in order, also if memory is reused`() throws {
        let objects = try shops.map { shop in
            var object = try ShopMapper.storageObject(from: shop)
            object.version = Int64(shop.rent * 2)
            return object
        }
        let (copies, read) = (Found<[StorageObject]>([]), Found<[Stored<Shop>]>([]))
        try lend(objects) { (rows) throws(PersistencyError) in
            while try rows.next() {
                copies.value.append(try rows.storageObject())
                read.value.append(try ShopMapper.stored(from: rows))
            }
        }
        #expect(copies.value == objects && copies.value.map(\.version) == objects.map(\.version))
        #expect(read.value.map(\.entity) == shops && read.value.allSatisfy { $0.version == 3 })
    }

    @Test func `a row is the same as its entity and as no other`() throws {
        let objects = try shops.prefix(10).map { try ShopMapper.storageObject(from: $0) }
        var others: [Shop] = []
        for shop in shops.prefix(10) {
            var (renamed, emptied, heavier, moved) = (shop, shop, shop, shop)
            renamed.name += "x"
            emptied.regulars.append(Person(9, "").id)
            if heavier.shelves.last?.boxes.isEmpty == false {
                heavier.shelves[heavier.shelves.count - 1].boxes[0].weight = 7
            }
            moved.shelves.reverse()
            others += [shop, renamed, emptied, heavier, moved]
        }
        let compared = Found<Int>(0)
        let candidates = others
        try lend(objects) { (rows) throws(PersistencyError) in
            while try rows.next() {
                let stored = try rows.storageObject()
                let row = try Self.unwrapped(rows.lent)
                for other in candidates {
                    let object = try ShopMapper.storageObject(from: other)
                    #expect(ShopMapper.mapping.isSame(other, as: row) == (object == stored))
                    compared.value += 1
                }
            }
        }
        #expect(compared.value == 500)
    }

    private static func unwrapped(_ row: LentRow?) throws(PersistencyError) -> LentRow {
        guard let row else { throw Rows.noRow }
        return row
    }
}
