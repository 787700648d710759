internal import LarderData
internal import LarderDomain

extension AdoptedTable {
    /// The key in a row of the query.
    func key(in row: [JSON]) -> [String] { row.dropFirst().prefix(key.count).map { $0.string ?? "NULL" } }

    /// The storage object of a row of the query, whose values become those of an entity.
    ///
    /// - Throws: `RefusedRow`.
    func object(from row: [JSON]) throws(RefusedRow) -> StorageObject {
        if let column = row.first?.string { throw RefusedRow(column, "has bytes or U+0000") }
        let texts = row.dropFirst()
        guard !texts.prefix(key.count).contains(.null) else { throw RefusedRow(key[0], "must not be null") }
        var place = row.startIndex + 1 + key.count
        var found: [String: Value] = [:]
        for (column, origin) in values {
            switch origin {
            case .column(let name):
                do throws(ValueRefusal) {
                    found[column.name] = try row[place].string.map { text throws(ValueRefusal) in
                        try column.adopted(text)
                    }
                } catch {
                    throw RefusedRow(name, error.reason)
                }
                place += 1
            case .reference(let table, let names):
                let key = row[place..<place + names.count].compactMap(\.string)
                found[column.name] = key.count == names.count ? .id(Self.id(table, key)) : .null
                place += names.count
            }
        }
        var links: [String: [RawID]] = [:]
        for (name, list) in lists {
            links[name] = row[place].elements.map { Self.id(list.target, $0.elements.map { $0.string ?? "" }) }
            place += 1
        }
        return StorageObject(
            schema: schema, id: Self.id(name, key(in: row)), values: schema.columns.map { found[$0.name] ?? .null },
            children: schema.children.map { _ in [] }, links: schema.links.map { links[$0.name] ?? [] })
    }
}

extension JSON {
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}
