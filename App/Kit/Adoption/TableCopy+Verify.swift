internal import LarderData
internal import LarderDomain

extension TableCopy {
    /// Reads the source again, and its rows from the store.
    mutating func verify() async throws {
        func verify<Mapper: EntityMapper>(_ mapper: Mapper.Type, _ copy: inout TableCopy, _ batch: [Row]) async throws {
            let rows = batch.filter { !copy.refused.contains($0.object.id) }
            for row in rows { copy.again &+= copy.table.digest(of: row.object) }
            for item in try await copy.manager.read(rows.map { EntityID<Mapper.Model>($0.object.id) }) {
                copy.found += 1
                let object = try mapper.storageObject(from: item.entity)
                copy.kept &+= copy.table.digest(of: object)
                for (index, list) in copy.table.schema.links.enumerated() {
                    copy.links[list.name]?.found += object.links[index].count
                }
            }
        }
        func count<Mapper: EntityMapper>(_ mapper: Mapper.Type) async throws -> Int {
            try await manager.read(Query<Mapper.Model>(limit: 1, includesTotal: true)).total ?? 0
        }
        func opened(_ copy: inout TableCopy, _ batch: [Row]) async throws {
            try await verify(copy.table.mapper, &copy, batch)
        }
        for (name, list) in table.lists {
            var rows = 0
            try await source.forEachRow(of: "SELECT count(*) FROM \(AdoptedTable.quoted(list.table))") { _, text in
                rows = Int(String(decoding: text ?? [], as: UTF8.self)) ?? 0
            }
            links[name] = (rows, 0)
        }
        try await forEachBatch(reports: false, opened)
        stored = try await count(table.mapper)
    }

    /// A line for the table, and one for each joined table, whose rows are in the digest of this one.
    var lines: [[String]] {
        let numbers = [rows, copied, unchanged, changed, refused.count + unreadable, found].map(String.init)
        let own = [table.name] + numbers + [Self.hex(again), isEqual ? "equal" : Self.hex(kept)]
        return [own]
            + table.lists.map { list in
                let (rows, found) = links[list.name] ?? (0, 0)
                return [list.links.table, "\(rows)", "", "", "", "\(rows - found)", "\(found)"]
            }
    }

    private static func hex(_ number: UInt128) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
