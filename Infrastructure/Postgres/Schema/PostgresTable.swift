#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The fixed statements of one table. The comments list their bound values in parentheses; lists are arrays.
final class PostgresTable: Sendable {
    let table: SQLTable
    let children: [PostgresTable]
    let links: [PostgresLinks]
    /// Selects an object. (id)
    let readOne: String
    /// Selects objects, in the order of their ids. (ids)
    let readMany: String
    /// Selects owned objects, each after the index of its owner in the list. (ids of owners)
    let readOwned: String
    /// The same for one owner. (id of the owner)
    let readOwnedByOne: String
    /// Selects the ids and versions of roots. (ids)
    let versions: String
    /// Inserts rows of no content that no other transaction sees, and deletes them: until the end of the transaction, others
    /// that insert these ids wait. It fails with a serialization failure if the rows exist, but are not seen. (ids)
    let reserve: [String]
    /// Inserts objects, except those whose keys exist, and selects the ids of the others. (one list for each column)
    let insert: String
    /// Inserts objects, and fails if a key exists: in less time, but not in a pipeline. (rows)
    let copy: String
    /// Increments the versions of roots. (ids)
    let touch: String
    /// Moves owned objects. (ids, positions)
    let move: String
    /// Deletes roots or owned objects. (ids)
    let delete: String
    /// Deletes derived objects. (ids, owners)
    let deleteDerived: String
    /// Delete the owned objects of objects, the deepest first, and all links. (ids)
    let deleteOwned: [String]
    /// Select other roots with the same values after each id, one statement for each unique group. (ids)
    let duplicates: [String]

    var schema: EntitySchema { table.schema }
    /// Whether an aggregate has references, links or owned objects.
    let hasForeignKeys: Bool
    /// Whether owned objects have no lists.
    let isShallow: Bool
    /// Whether an aggregate contains a blob, which may be large.
    private let hasBlobs: Bool
    /// Whether one aggregate is read in one round trip, and is not large.
    var isShort: Bool { isShallow && !hasBlobs }
    var listCount: Int { children.count + links.count }
    var withDescendants: [PostgresTable] { [self] + children.flatMap(\.withDescendants) }

    init(_ table: SQLTable) {
        self.table = table
        children = table.children.map(PostgresTable.init)
        hasForeignKeys = !table.schema.isFlat || !PostgresDefinition.foreignKeys(table).isEmpty
        links = table.links.map(PostgresLinks.init)
        isShallow = children.allSatisfy(\.schema.isFlat)
        hasBlobs = table.schema.columns.contains { $0.type == .blob } || children.contains(where: \.hasBlobs)
        let name = SQLText.quoted(table.name)
        let (id, version) = (SQLText.quoted("id"), SQLText.quoted("version"))
        let selection = table.selection
        readOne = "SELECT \(selection) FROM \(name) AS t0 WHERE t0.\(id) = $1::uuid"
        readMany = "SELECT \(selection) FROM \(name) AS t0 WHERE t0.\(id) = ANY ($1::uuid[]) ORDER BY t0.\(id)"
        let owner = SQLText.quoted(table.owner ?? "id")
        // Derived objects have no position, and are in the order of their key.
        let order = table.derivedKey.map { " ORDER BY 1, t0.\(SQLText.quoted($0[1]))" } ?? ""
        readOwned = SQLText.owned("\(selection)", from: table.name, by: owner) + order
        readOwnedByOne = "SELECT 0::bigint, \(selection) FROM \(name) AS t0 WHERE t0.\(owner) = $1::uuid" + order
        versions = "SELECT \(id), \(version) FROM \(name) WHERE \(id) = ANY ($1::uuid[]) ORDER BY \(id)"
        let fillers = table.schema.columns.map { PostgresDialect().constant($0.filler) }
        reserve = [
            "INSERT INTO \(name) (\(SQLText.quoted(table.columns))) SELECT \((["new.id", "0"] + fillers).joined(separator: ", ")) "
                + "FROM unnest($1::uuid[]) AS new (id) ON CONFLICT (\(id)) DO NOTHING",
            "DELETE FROM \(name) WHERE \(id) = ANY ($1::uuid[]) AND \(version) = 0",
        ]
        insert = table.insertion(into: table.name)
        copy = "COPY \(name) (\(SQLText.quoted(table.columns))) FROM STDIN (FORMAT binary)"
        touch = "UPDATE \(name) SET \(version) = \(version) + 1 WHERE \(id) = ANY ($1::uuid[])"
        move =
            "UPDATE \(name) AS this SET \"position\" = moved.place FROM unnest($1::uuid[], $2::bigint[]) AS moved (id, place) "
            + "WHERE this.\(id) = moved.id"
        delete = "DELETE FROM \(name) WHERE \(id) = ANY ($1::uuid[])"
        deleteDerived =
            "DELETE FROM \(name) AS this USING unnest($1::uuid[], $2::uuid[]) AS gone (id, owner) "
            + "WHERE this.\(owner) = gone.owner AND this.\(id) = gone.id"
        deleteOwned = table.deletionsOfOwned(by: "= ANY ($1::uuid[])")
        duplicates = table.schema.uniques.map { group in
            let same = group.flatMap { index in
                let column = SQLText.quoted(table.schema.columns[index].name)
                let kind = SQLKind(table.schema.columns[index].type)
                let starts = [PostgresDialect().start(of: "other.\(column)", kind)].compactMap { start in
                    PostgresDialect().start(of: "this.\(column)", kind).flatMap { other in
                        start.map { "\($0) = \(other)" }
                    }
                }
                return starts + ["other.\(column) = this.\(column)"]
            }
            return "SELECT this.\(id), other.\(id) FROM \(name) AS this JOIN \(name) AS other "
                + "ON \(same.joined(separator: " AND ")) AND other.\(id) <> this.\(id) WHERE this.\(id) = ANY ($1::uuid[])"
        }
    }

    /// The statement that changes some columns of an object, and increments the version of a root.
    /// (id; the expected version of a root, or the owner, if its rows are derived; columns)
    ///
    /// - Parameter raisesVersion: Whether the version of a root is expected and incremented.
    func update(_ columns: [Int], raisesVersion: Bool = true) -> String {
        let isDerived = schema.isDerived
        let isExpected = table.owner == nil && raisesVersion
        var assignments = isExpected ? ["\"version\" = \"version\" + 1"] : []
        for (number, column) in zip((isDerived || isExpected ? 3 : 2)..., columns) {
            let declared = schema.columns[column]
            let type = PostgresDialect().type(SQLKind(declared.type))
            assignments.append("\(SQLText.quoted(declared.name)) = $\(number)::\(type)")
        }
        return "UPDATE \(SQLText.quoted(table.name)) SET \(assignments.joined(separator: ", ")) WHERE \"id\" = $1::uuid"
            + (isExpected ? " AND \"version\" = $2::bigint" : "")
            + (isDerived ? " AND \(SQLText.quoted(table.owner ?? "")) = $2::uuid" : "")
    }
}

/// The fixed statements of one list of links.
final class PostgresLinks: Sendable {
    let table: SQLLinkTable
    /// Selects the index of each owner in the list, position and target. (ids of owners)
    let read: String
    /// The same for one owner. (id of the owner)
    let readOne: String
    /// Inserts or replaces links. (owners, positions, targets)
    let put: String
    /// Deletes all links from a position on. (owners, positions)
    let truncate: String

    init(_ table: SQLLinkTable) {
        self.table = table
        let (name, owner) = (SQLText.quoted(table.name), SQLText.quoted(table.owner))
        let (position, target) = (SQLText.quoted("position"), SQLText.quoted(table.targetColumn))
        let selection = "t0.\(position), t0.\(target)"
        read = SQLText.owned(selection, from: table.name, by: owner)
        readOne = "SELECT 0::bigint, \(selection) FROM \(name) AS t0 WHERE t0.\(owner) = $1::uuid"
        put =
            "INSERT INTO \(name) (\(SQLText.quoted(table.columns))) SELECT * FROM "
            + "unnest($1::uuid[], $2::bigint[], $3::uuid[]) "
            + "ON CONFLICT (\(owner), \(position)) DO UPDATE SET \(target) = excluded.\(target)"
        truncate =
            "DELETE FROM \(name) AS this USING unnest($1::uuid[], $2::bigint[]) AS rest (owner, place) "
            + "WHERE this.\(owner) = rest.owner AND this.\(position) >= rest.place"
    }
}

extension SQLText {
    /// Selects rows of owners, each after the index of its owner in a list.
    fileprivate static func owned(_ selection: String, from table: String, by owner: String) -> String {
        "SELECT owners.number - 1, \(selection) FROM unnest($1::uuid[]) WITH ORDINALITY AS owners (id, number) "
            + "JOIN \(quoted(table)) AS t0 ON t0.\(owner) = owners.id"
    }
}

extension SQLTable {
    /// The kinds of all columns.
    var columnKinds: [SQLKind] {
        [.id] + (owner == nil ? [.integer] : [.id, .integer]) + schema.columns.map { SQLKind($0.type) }
    }

    /// - Parameter name: The name of a table with the same columns.
    func insertion(into name: String) -> String {
        let lists = columnKinds.enumerated().map { "$\($0 + 1)::\(PostgresDialect().type($1))[]" }
        return "INSERT INTO \(SQLText.quoted(name)) (\(SQLText.quoted(columns))) SELECT * FROM "
            + "unnest(\(lists.joined(separator: ", "))) \(onConflict) RETURNING \"id\""
    }

    private var onConflict: String {
        guard let derivedKey else { return "ON CONFLICT (\"id\") DO NOTHING" }
        let changes = columns.map { "\(SQLText.quoted($0)) = excluded.\(SQLText.quoted($0))" }
        return "ON CONFLICT (\(SQLText.quoted(derivedKey))) DO UPDATE SET \(changes.joined(separator: ", "))"
    }
}
#endif
