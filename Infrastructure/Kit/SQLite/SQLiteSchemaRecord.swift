internal import LarderData
internal import LarderDomain

/// What a database says of its own schema, in a table `larder_schema`: a row for each member that was declared.
///
/// What was added since is added to the database when it is opened. A member that is gone or changed is not, nor does a
/// program open a database that has more than it knows: that is a migration's work.
struct SQLiteSchemaRecord {
    private let connection: SQLiteConnection
    private let plan: SQLPlan

    init(_ connection: SQLiteConnection, _ plan: SQLPlan) {
        self.connection = connection
        self.plan = plan
    }

    private var tables: [SQLTable] { plan.roots.flatMap(\.table.withDescendants) }

    /// Checks that the difference can be applied; changes nothing.
    func check() throws(PersistencyError) {
        _ = try plan.schemas.additions(to: recorded())
    }

    /// The first addition that is not applied yet; `nil` where there is no difference.
    func pending() throws(PersistencyError) -> SchemaItem? {
        try plan.schemas.additions(to: recorded()).first
    }

    /// Applies the difference in one transaction.
    func apply() throws(PersistencyError) {
        let recorded = try recorded()
        let added = try plan.schemas.additions(to: recorded)
        if added.isEmpty { return }
        try connection.beginWriting()
        do throws(PersistencyError) {
            try apply(added, to: recorded)
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
        let definition = SQLDefinition(dialect: plan.dialect)
        let old = Set(recorded.map(\.entity))
        for table in tables {
            for text in definition.tables(table) { try connection.execute(text) }
            if old.contains(table.name) { try addColumns(added, to: table, definition) }
        }
        try SQLiteDerivation(connection, plan) { table, column in
            old.contains(table) && added.contains { ($0.entity, $0.kind, $0.name) == (table, .column, column) }
        }.fill()
        for table in tables {
            for index in table.indexes {
                try connection.execute(
                    definition.index(index, hasBlobs: table.schema.hasBlobs && index.table == table.name))
            }
        }
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

    private func addColumns(
        _ added: [SchemaItem], to table: SQLTable, _ definition: SQLDefinition
    ) throws(PersistencyError) {
        let names = Set(added.filter { $0.entity == table.name && $0.kind == .column }.map(\.name))
        for column in table.schema.columns where names.contains(column.name) {
            try connection.execute(definition.add(column, to: table))
            guard case .real = column.defaultValue, let value = column.defaultValue else { continue }
            // The text of a real number may be read as its neighbour; a bound one is exact.
            let name = plan.dialect.quoted(column.name)
            let statement = try connection.statement("UPDATE \(plan.dialect.quoted(table.name)) SET \(name) = ?1")
            try statement.bind(value, at: 1)
            try statement.run()
        }
    }

    /// What rows that are there got in new columns is unique, or the columns cannot be.
    private func checkUnique(_ item: SchemaItem) throws(PersistencyError) {
        guard let schema = plan[item.entity]?.schema else { return }
        for group in schema.uniques where schema.name(of: group) == item.name {
            let columns = group.map { plan.dialect.quoted(schema.columns[$0].name) }
            let found = try connection.integer(
                "SELECT count(*) FROM (SELECT 1 FROM \(plan.dialect.quoted(schema.name)) WHERE "
                    + columns.map { $0 + " IS NOT NULL" }.joined(separator: " AND ")
                    + " GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1)")
            guard found == 0 else { throw .incompatible("\(item) cannot be added: rows that are there share a value") }
        }
    }

    private func recorded() throws(PersistencyError) -> Set<SchemaItem> {
        let exists = try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'larder_schema'")
        guard exists > 0 else { return [] }
        let statement = try connection.statement("SELECT entity, kind, name, declaration FROM larder_schema")
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
