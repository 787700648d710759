internal import LarderData
internal import LarderDomain

/// The recorded schema of a database: the table `larder_schema`, with a row for each declared member, in the order of
/// declaration at the last change.
///
/// Opening a database adds the members declared since. A removed, changed or unknown member is rejected, because it
/// requires a migration. Unknown columns that SQLite can fill are permitted: an earlier version of the program neither
/// reads nor writes them. Indexes are created and dropped as declared; those with other names are left unchanged.
struct SQLiteSchemaRecord {
    let connection: SQLiteConnection
    let plan: SQLPlan

    private var tables: [SQLTable] { plan.roots.flatMap(\.table.withDescendants) }

    /// The first pending addition, or `nil` if there is none. Throws `incompatible` if another difference exists.
    func pending() throws(PersistencyError) -> SchemaItem? {
        let recorded = try recorded()
        let further = try further(in: recorded)
        return try plan.schemas.additions(to: recorded.filter { !further.contains($0) }).first
    }

    /// Applies pending additions and index changes, and records the schema, in one transaction.
    func apply() throws(PersistencyError) {
        let recorded = try recorded()
        let further = try further(in: recorded)
        let known = recorded.filter { !further.contains($0) }
        let added = try plan.schemas.additions(to: known)
        let items = plan.schemas.items + further
        if Set(items) == Set(recorded), try !isText(), try hasDeclaredIndexes() { return }
        try connection.beginWriting()
        do throws(PersistencyError) {
            // First, so that the record of a new database is in its first pages, where a truncated file still has it.
            try record(items)
            if !added.isEmpty { try apply(added, to: known) }
            try makeIndexes()
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private func apply(_ added: [SchemaItem], to recorded: [SchemaItem]) throws(PersistencyError) {
        let old = Set(recorded.map(\.entity))
        for table in tables {
            for text in SQLDefinition.tables(table) { try connection.execute(text) }
            if old.contains(table.name) { try addColumns(added, to: table) }
        }
        let derivations = AddedDerivations(plan.schemas, added: added)
        try SQLiteDerivation(connection: connection, plan: plan, added: derivations).fill()
        if old.isEmpty { return }
        for item in added where item.kind == .unique && old.contains(item.entity) { try checkUnique(item) }
        let broken = try connection.integer("SELECT count(*) FROM pragma_foreign_key_check")
        guard broken == 0 else { throw .incompatible("\(broken) references in the database have no target") }
    }

    /// Replaces the record, also one of an earlier format.
    private func record(_ items: [SchemaItem]) throws(PersistencyError) {
        let columns = SchemaItem.fields.map { name, type in
            SQLText.quoted(name) + " " + (type.map(SQLText.type) ?? "ANY")
        }
        try connection.execute("DROP TABLE IF EXISTS larder_schema")
        try connection.execute(
            "CREATE TABLE larder_schema (position INTEGER PRIMARY KEY, \(columns.joined(separator: ", "))) STRICT")
        try connection.execute("PRAGMA user_version = \(SQLiteOpening.format)")
        let parameters = SchemaItem.fields.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        for (position, item) in items.enumerated() {
            let statement = try connection.statement("INSERT INTO larder_schema VALUES (?1, \(parameters))")
            try statement.bind([.integer(Int64(position))] + item.values, from: 1)
            try statement.run()
        }
    }

    private func addColumns(_ added: [SchemaItem], to table: SQLTable) throws(PersistencyError) {
        let names = Set(added.filter { $0.entity == table.name && $0.kind == .column }.map(\.name))
        for column in table.schema.columns where names.contains(column.name) {
            try connection.execute(SQLDefinition.add(column, to: table))
            guard case .real = column.defaultValue, let value = column.defaultValue else { continue }
            // SQLite may parse the text of a real number as an adjacent one; a bound value is exact.
            let name = SQLText.quoted(column.name)
            let statement = try connection.statement("UPDATE \(SQLText.quoted(table.name)) SET \(name) = ?1")
            try statement.bind(value, at: 1)
            try statement.run()
        }
    }

    /// Throws `incompatible` if existing rows share a value of a new unique group.
    private func checkUnique(_ item: SchemaItem) throws(PersistencyError) {
        guard let schema = plan[item.entity]?.schema else { return }
        for group in schema.uniques where schema.name(of: group) == item.name {
            let columns = group.map { SQLText.quoted(schema.columns[$0].name) }
            let found = try connection.integer(
                "SELECT count(*) FROM (SELECT 1 FROM \(SQLText.quoted(schema.name)) WHERE "
                    + columns.map { $0 + " IS NOT NULL" }.joined(separator: " AND ")
                    + " GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1)")
            guard found == 0 else { throw .incompatible("\(item) cannot be added: existing rows share a value") }
        }
    }

    private func hasDeclaredIndexes() throws(PersistencyError) -> Bool {
        let found = try indexes()
        let declared = Set(tables.flatMap { $0.indexes.map(\.name) })
        return declared.isSubset(of: found.keys) && stale(found).isEmpty
    }

    /// Creates missing indexes and drops stale ones.
    private func makeIndexes() throws(PersistencyError) {
        for name in stale(try indexes()) { try connection.execute("DROP INDEX \(SQLText.quoted(name))") }
        for table in tables {
            for index in table.indexes {
                try connection.execute(
                    SQLDefinition.index(index, hasBlobs: table.schema.hasBlobs && index.table == table.name))
            }
        }
    }

    /// The tables of the database's indexes, by the name of the index.
    private func indexes() throws(PersistencyError) -> [String: String] {
        let statement = try connection.statement(
            "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        defer { statement.finish() }
        var found: [String: String] = [:]
        while try statement.step() { found[statement.text(0)] = statement.text(1) }
        return found
    }

    /// The indexes whose declarations were removed.
    private func stale(_ indexes: [String: String]) -> [String] {
        let declared = Set(tables.flatMap { $0.indexes.map(\.name) })
        let names = Set(tables.map(\.name))
        return indexes.filter { name, table in
            names.contains(table) && name.hasPrefix(SQLTable.declaredIndex(of: table)) && !declared.contains(name)
        }.keys.sorted()
    }

    /// The recorded columns that are unknown, and nullable or with a default.
    private func further(in recorded: [SchemaItem]) throws(PersistencyError) -> [SchemaItem] {
        var items: [SchemaItem] = []
        for item in recorded where item.isUnknownColumn(to: plan.schemas) {
            let statement = try connection.statement(
                "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2 AND (\"notnull\" = 0 OR dflt_value IS NOT NULL)")
            defer { statement.finish() }
            try statement.bind([.text(item.entity), .text(item.name)], from: 1)
            if try statement.step() { items.append(item) }
        }
        return items
    }

    private func recorded() throws(PersistencyError) -> [SchemaItem] {
        let exists = try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'larder_schema'")
        guard exists > 0 else { return [] }
        let isText = try isText()
        let names = SQLText.quoted(SchemaItem.fields.map(\.name))
        let statement = try connection.statement(
            isText
                ? "SELECT entity, kind, name, declaration FROM larder_schema"
                : "SELECT \(names) FROM larder_schema ORDER BY position")
        defer { statement.finish() }
        var items: [SchemaItem] = []
        while try statement.step() {
            guard let item = isText ? itemOfText(statement) : item(statement) else {
                throw .incompatible("the database has \(statement.text(1)) \(statement.text(2)), which is unknown here")
            }
            items.append(item)
        }
        return items
    }

    /// Whether the record is of format 1, which declared each member by a text.
    private func isText() throws(PersistencyError) -> Bool { try connection.integer("PRAGMA user_version") < 2 }

    private func itemOfText(_ row: SQLiteStatement) -> SchemaItem? {
        SchemaItem(entity: row.text(0), kind: row.text(1), name: row.text(2), text: row.text(3))
    }

    private func item(_ row: SQLiteStatement) -> SchemaItem? {
        let type = ColumnType(rawValue: row.text(4)) ?? .text
        return SchemaItem(
            SchemaItem.fields.enumerated().map { row.value(Int32($0), $1.type ?? type) })
    }
}
