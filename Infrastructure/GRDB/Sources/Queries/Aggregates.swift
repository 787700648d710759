internal import GRDB
internal import LarderData
internal import LarderDomain

/// Reads aggregates in one access to the database. The number of statements depends on the types in an aggregate, and on
/// the number of batches, not on its rows.
struct Aggregates {
    let database: Database
    /// Whether owned objects and links are read.
    var hasLists = true
    /// Whether derived lists are read.
    var hasDerived = true

    /// The numbers of ids in a statement, so that few statements are prepared and cached.
    private static let sizes = [1, 8, 64, 512]

    /// The roots with these ids, each once, in batches.
    func roots(_ ids: [RawID], of table: StoredTable, _ body: ([StorageObject]) throws -> Void) throws {
        for batch in Array(Set(ids)).batches(of: 512) {
            var roots: [StorageObject] = []
            let sql = "SELECT \(table.selection) FROM \(table.quotedName) AS t0 WHERE t0.id"
            try rows(sql, ids: batch) { roots.append(try table.root($0)) }
            try body(try complete(roots, table))
        }
    }

    /// Adds the owned objects of rows, at any depth, and all links.
    func complete(_ objects: [StorageObject], _ table: StoredTable) throws -> [StorageObject] {
        var objects = objects
        if objects.isEmpty || table.schema.isFlat || !hasLists { return objects }
        let places = Dictionary(objects.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let ids = objects.map(\.id)
        for (list, link) in table.links.enumerated() {
            let sql =
                "SELECT \(link.quotedOwner), \(link.quotedTarget) FROM \(link.quotedName) WHERE \(link.quotedOwner)"
            for batch in ids.batches(of: 512) {
                try rows(sql, ids: batch, order: "position") { row in
                    guard let place = places[try row.id(0)] else { return }
                    objects[place].links[list].append(try row.id(1))
                }
            }
        }
        for (list, child) in table.children.enumerated() where hasDerived || !child.schema.isDerived {
            let sql = "SELECT \(child.selection) FROM \(child.quotedName) AS t0 WHERE t0.\(table.quotedName)"
            for batch in ids.batches(of: 512) {
                var (owners, owned) = ([RawID](), [StorageObject]())
                try rows(sql, ids: batch, order: "position") { row in
                    owners.append(try row.id(1))
                    owned.append(try child.owned(row))
                }
                for (owner, object) in zip(owners, try complete(owned, child)) {
                    if let place = places[owner] { objects[place].children[list].append(object) }
                }
            }
        }
        return objects
    }

    private func rows(_ sql: String, ids: [RawID], order: String? = nil, _ body: (Row) throws -> Void) throws {
        guard let last = ids.last?.stored else { return }
        // A repeated id selects its rows once.
        let count = Self.sizes.first { $0 >= ids.count } ?? ids.count
        let arguments = ids.map(\.stored) + repeatElement(last, count: count - ids.count)
        let marks = repeatElement("?", count: count).joined(separator: ",")
        let statement = try database.cachedStatement(
            sql: "\(sql) IN (\(marks))" + (order.map { " ORDER BY \($0)" } ?? ""))
        let cursor = try Row.fetchCursor(statement, arguments: StatementArguments(arguments))
        while let row = try cursor.next() { try body(row) }
    }
}

extension StoredTable {
    /// A row of the selection, without lists.
    func root(_ row: Row) throws -> StorageObject { try object(row, version: row[1], firstColumn: 2) }

    fileprivate func owned(_ row: Row) throws -> StorageObject { try object(row, version: 0, firstColumn: 3) }

    private func object(_ row: Row, version: Int64, firstColumn: Int) throws -> StorageObject {
        StorageObject(
            schema: schema, id: try row.id(0), version: version,
            values: schema.columnTypes.enumerated().map { row.value(firstColumn + $0, $1) },
            children: children.map { _ in [] }, links: links.map { _ in [] })
    }
}

extension Array {
    /// Consecutive parts of at most the given length.
    fileprivate func batches(of length: Int) -> [[Element]] {
        stride(from: 0, to: count, by: length).map { Array(self[$0..<Swift.min($0 + length, count)]) }
    }
}
