internal import LarderData
internal import LarderDomain

/// The recorded schema of a database: the table `larder_schema`, with a row for each declared member.
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
        try plan.schemas.additions(to: recorded()).first
    }

    /// Applies pending additions and index changes in one transaction.
    func apply() throws(PersistencyError) {
        let recorded = try recorded()
        let added = try plan.schemas.additions(to: recorded)
        if added.isEmpty, try hasDeclaredIndexes() { return }
        try connection.beginWriting()
        do throws(PersistencyError) {
            if !added.isEmpty { try apply(added, to: recorded) }
            try makeIndexes()
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private func apply(_ added: [SchemaItem], to recorded: Set<SchemaItem>) throws(PersistencyError) {
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS larder_schema (entity TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, "
                + "declaration TEXT NOT NULL, PRIMARY KEY (entity, kind, name)) STRICT, WITHOUT ROWID")
        let old = Set(recorded.map(\.entity))
        for table in tables {
            for text in SQLDefinition.tables(table) { try connection.execute(text) }
            if old.contains(table.name) { try addColumns(added, to: table) }
        }
        let derivations = AddedDerivations(plan.schemas, added: added)
        try SQLiteDerivation(connection: connection, plan: plan, added: derivations).fill()
        for item in added {
            let statement = try connection.statement("INSERT INTO larder_schema VALUES (?1, ?2, ?3, ?4)")
            try statement.bind(
                [.text(item.entity), .text(item.kind.rawValue), .text(item.name), .text(item.declaration)], from: 1)
            try statement.run()
        }
        if old.isEmpty { return }
        for item in added where item.kind == .unique && old.contains(item.entity) { try checkUnique(item) }
        let broken = try connection.integer("SELECT count(*) FROM pragma_foreign_key_check")
        guard broken == 0 else { throw .incompatible("\(broken) references in the database have no target") }
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

    /// The recorded items, without further columns.
    private func recorded() throws(PersistencyError) -> Set<SchemaItem> {
        var items = try allRecorded()
        for item in items where try isFurther(item) { items.remove(item) }
        return items
    }

    /// Whether an item is an unknown column that is nullable or has a default.
    private func isFurther(_ item: SchemaItem) throws(PersistencyError) -> Bool {
        guard item.isUnknownColumn(to: plan.schemas) else { return false }
        let statement = try connection.statement(
            "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2 AND (\"notnull\" = 0 OR dflt_value IS NOT NULL)")
        defer { statement.finish() }
        try statement.bind([.text(item.entity), .text(item.name)], from: 1)
        return try statement.step()
    }

    private func allRecorded() throws(PersistencyError) -> Set<SchemaItem> {
        let exists = try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'larder_schema'")
        guard exists > 0 else { return [] }
        let statement = try connection.statement(
            // Earlier versions also recorded indexes.
            "SELECT entity, kind, name, declaration FROM larder_schema WHERE kind <> 'index'")
        defer { statement.finish() }
        var items: Set<SchemaItem> = []
        while try statement.step() {
            guard let kind = SchemaItem.Kind(rawValue: statement.text(1)) else {
                throw .incompatible("the database has \(statement.text(1)) \(statement.text(2)), which is unknown here")
            }
            items.insert(
                SchemaItem(
                    entity: statement.text(0), kind: kind, name: statement.text(2), declaration: statement.text(3)))
        }
        return items
    }
}
