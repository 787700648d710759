internal import LarderData
internal import LarderDomain

/// What a database says of its own schema, in a table `larder_schema`: a row for each member that was declared.
///
/// Members that were added since are added to the database when it is opened. A member that is gone or changed is
/// refused, and so is a database that has more than the program knows: that is a migration's work. Further columns are
/// permitted if SQLite fills them: an earlier version of the program neither reads nor writes them. Indexes are made and
/// dropped as they are declared; an index of another name is not touched.
struct SQLiteSchemaRecord {
    let connection: SQLiteConnection
    let plan: SQLPlan

    private var tables: [SQLTable] { plan.roots.flatMap(\.table.withDescendants) }

    /// The first addition that is not applied yet; `nil` where there is no difference. Throws `incompatible` for a
    /// difference that cannot be applied.
    func pending() throws(PersistencyError) -> SchemaItem? {
        try plan.schemas.additions(to: recorded()).first
    }

    /// Applies the difference in one transaction.
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
            // The text of a real number may be read as its neighbour; a bound one is exact.
            let name = SQLText.quoted(column.name)
            let statement = try connection.statement("UPDATE \(SQLText.quoted(table.name)) SET \(name) = ?1")
            try statement.bind(value, at: 1)
            try statement.run()
        }
    }

    /// What rows that are there got in new columns is unique, or the columns cannot be.
    private func checkUnique(_ item: SchemaItem) throws(PersistencyError) {
        guard let schema = plan[item.entity]?.schema else { return }
        for group in schema.uniques where schema.name(of: group) == item.name {
            let columns = group.map { SQLText.quoted(schema.columns[$0].name) }
            let found = try connection.integer(
                "SELECT count(*) FROM (SELECT 1 FROM \(SQLText.quoted(schema.name)) WHERE "
                    + columns.map { $0 + " IS NOT NULL" }.joined(separator: " AND ")
                    + " GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1)")
            guard found == 0 else { throw .incompatible("\(item) cannot be added: rows that are there share a value") }
        }
    }

    private func hasDeclaredIndexes() throws(PersistencyError) -> Bool {
        let found = try indexes()
        let declared = Set(tables.flatMap { $0.indexes.map(\.name) })
        return declared.isSubset(of: found.keys) && stale(found).isEmpty
    }

    /// Makes the indexes that are declared and missing, and drops those that are declared no more.
    private func makeIndexes() throws(PersistencyError) {
        for name in stale(try indexes()) { try connection.execute("DROP INDEX \(SQLText.quoted(name))") }
        for table in tables {
            for index in table.indexes {
                try connection.execute(
                    SQLDefinition.index(index, hasBlobs: table.schema.hasBlobs && index.table == table.name))
            }
        }
    }

    /// The names of the database's indexes, each with its table.
    private func indexes() throws(PersistencyError) -> [String: String] {
        let statement = try connection.statement(
            "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        defer { statement.finish() }
        var found: [String: String] = [:]
        while try statement.step() { found[statement.text(0)] = statement.text(1) }
        return found
    }

    /// The indexes that were made for a declaration which is gone.
    private func stale(_ indexes: [String: String]) -> [String] {
        let declared = Set(tables.flatMap { $0.indexes.map(\.name) })
        let names = Set(tables.map(\.name))
        return indexes.filter { name, table in
            names.contains(table) && name.hasPrefix(SQLTable.declaredIndex(of: table)) && !declared.contains(name)
        }.keys.sorted()
    }

    /// What was recorded, without further columns.
    private func recorded() throws(PersistencyError) -> Set<SchemaItem> {
        var items = try allRecorded()
        for item in items where try isFurther(item) { items.remove(item) }
        return items
    }

    /// Whether an item is a column that is unknown here, is neither derived nor a reference, and is nullable or has a
    /// default.
    private func isFurther(_ item: SchemaItem) throws(PersistencyError) -> Bool {
        guard item.kind == .column, !item.declaration.contains(" "), let schema = plan[item.entity]?.schema,
            schema.index(ofColumn: item.name) == nil
        else { return false }
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
            // Earlier versions recorded indexes, too.
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
