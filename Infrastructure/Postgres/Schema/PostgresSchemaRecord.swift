#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The recorded schema of a database: the table `larder_schema`, with a row for each declared member, in the order of
/// declaration at the last change; and the table `larder_history`, with a row for each change.
struct PostgresSchemaRecord {
    let connection: PostgresConnection

    /// The record; without items for a schema without tables. Both tables are read in one snapshot.
    func read() throws(PersistencyError) -> SchemaRecord {
        guard try connection.has("larder_schema") else { return SchemaRecord(items: [], history: []) }
        if connection.isInTransaction { return SchemaRecord(items: try items(), history: try history()) }
        var record = SchemaRecord(items: [], history: [])
        try PostgresReading(connection: connection).snapshot { () throws(PersistencyError) in
            try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            record = SchemaRecord(items: try items(), history: try history())
            try connection.execute("COMMIT")
        }
        return record
    }

    /// Replaces the record.
    func write(_ record: SchemaRecord) throws(PersistencyError) {
        try write("larder_schema", SchemaItem.fields.map { ($0.name, $0.type) }, record.items.map(\.recorded))
        try write(
            "larder_history", SchemaHistoryEntry.fields.map { ($0.name, $0.type) }, record.history.map(\.values))
    }

    private func write(
        _ table: String, _ fields: [(name: String, type: ColumnType?)], _ rows: [[Value]]
    ) throws(PersistencyError) {
        let types = fields.map { PostgresDialect().type(SQLKind($0.type ?? .blob)) }
        let definitions = zip(fields, types).map { SQLText.quoted($0.name) + " " + $1 }.joined(separator: ", ")
        // An existing table keeps the rights of other roles on it.
        if try connection.has(table) {
            try connection.execute("DELETE FROM \(table)")
        } else {
            try connection.execute("CREATE TABLE \(table) (position bigint PRIMARY KEY, \(definitions))")
        }
        let places = types.enumerated().map { "$\($0 + 2)::\($1)" }.joined(separator: ", ")
        for (position, row) in rows.enumerated() {
            try connection.run(
                "INSERT INTO \(table) VALUES ($1::bigint, \(places))", [.integer(Int64(position))] + row)
        }
    }

    private func items() throws(PersistencyError) -> [SchemaItem] {
        try rows("larder_schema", SchemaItem.fields.map(\.name)) { row in
            SchemaItem(recorded: SchemaItem.fields.enumerated().map { row.value($0, $1.type ?? .blob) })
        }
    }

    private func history() throws(PersistencyError) -> [SchemaHistoryEntry] {
        try rows("larder_history", SchemaHistoryEntry.fields.map(\.name)) { row in
            SchemaHistoryEntry(SchemaHistoryEntry.fields.enumerated().map { row.value($0, $1.type) })
        }
    }

    private func rows<Row>(
        _ table: String, _ fields: [String], _ make: (PostgresResult) -> Row?
    ) throws(PersistencyError) -> [Row] {
        let result = try connection.run("SELECT \(SQLText.quoted(fields)) FROM \(table) ORDER BY position")
        var rows: [Row] = []
        while result.advance() {
            guard let row = make(result) else {
                throw .incompatible(
                    "the table \(table) has a row that is unknown here: use a newer version of the program")
            }
            rows.append(row)
        }
        return rows
    }
}

extension SchemaItem {
    /// The values of the fields, with the default in the encoding of files, because its type depends on the column.
    fileprivate var recorded: [Value] {
        var values = values
        if let value = values.last, value != .null {
            var writer = ValueWriter()
            writer.append(value)
            values[values.count - 1] = .blob(writer.bytes)
        }
        return values
    }

    fileprivate init?(recorded: [Value]) {
        var values = recorded
        if case .blob(let bytes) = values.last {
            var reader = ValueReader(bytes)
            guard let value = try? reader.value() else { return nil }
            values[values.count - 1] = value
        }
        self.init(values)
    }
}

extension PostgresConnection {
    /// Selects the PostgreSQL schema.
    static let schemaID = "(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())"

    /// Whether the PostgreSQL schema has a table.
    func has(_ table: String) throws(PersistencyError) -> Bool {
        try run(
            "SELECT 1 FROM pg_catalog.pg_class WHERE relname = $1::text AND relnamespace = \(Self.schemaID)",
            [.text(table)]
        ).advance()
    }
}
#endif
