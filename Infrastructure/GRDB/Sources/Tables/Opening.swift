internal import GRDB
internal import LarderData
internal import LarderDomain

/// Prepares a database for a set of schemas.
struct Opening: Sendable {
    let tables: [StoredTable]
    let durability: GRDBStore.Durability

    /// The application id in the header of each database of this store: `LGRD`.
    private static let applicationID: Int64 = 0x4C47_5244

    /// Refuses an existing database of another program. A pool would already change its journal mode.
    static func refuseForeign(_ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let reader: DatabaseQueue
        do {
            reader = try DatabaseQueue(path: path, configuration: configuration)
        } catch DatabaseError.SQLITE_CANTOPEN {
            // The pool creates the file, or reports the reason.
            return
        }
        defer { try? reader.close() }
        try reader.read { database in
            let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
            if isEmpty { return }
            if try Int64.fetchOne(database, sql: "PRAGMA application_id") == applicationID { return }
            throw PersistencyError.incompatible(
                "the database at \(path) was not created by GRDBStore; use another path")
        }
    }

    /// Runs once on the connection that writes.
    func prepare(_ database: Database) throws {
        // The pool has set the mode to normal.
        try database.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
        try Removal.createTables(in: database)
        try database.inTransaction(.immediate) {
            try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            for table in tables.flatMap(\.withDescendants) {
                if try database.tableExists(table.name) { try addColumns(to: table, in: database) }
                try table.create(in: database)
            }
            try checkTables(in: database)
            return .commit
        }
    }

    /// Adds the columns for which existing rows need no value.
    private func addColumns(to table: StoredTable, in database: Database) throws {
        let existing = Set(try database.columns(in: table.name).map { $0.name.lowercased() })
        for column in table.schema.columns where !existing.contains(column.name) {
            let isFilled = column.isNullable || column.defaultValue.map { $0 != .null } ?? false
            guard isFilled, !column.isDerived else {
                throw PersistencyError.incompatible(
                    "existing rows of \(table.name) need a value for the new column \(column.name); this store has no "
                        + "migrations: declare it nullable or with a default, or copy the data to a new store")
            }
            try database.alter(table: table.name) { $0.add(column: column.name, column.type.stored).declare(column) }
        }
    }

    /// Refuses tables and columns that differ from the schemas. Additional columns remain if rows need no value for them:
    /// a later version of the program has added them.
    private func checkTables(in database: Database) throws {
        let expected = expectedColumns
        let names = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'")
        for name in names {
            guard var missing = expected[name] else {
                throw PersistencyError.incompatible("no schema declares the table \(name) of the database")
            }
            let references = Set(try database.foreignKeys(on: name).flatMap(\.originColumns))
            for column in try database.columns(in: name) {
                let found = describe(Database.ColumnType(rawValue: column.type), !column.isNotNull)
                let declared = missing.removeValue(forKey: column.name)
                let isFilled = !column.isNotNull || column.defaultValueSQL != nil
                if declared == found || declared == nil && isFilled && !references.contains(column.name) { continue }
                throw PersistencyError.incompatible(
                    "the column \(column.name) of the table \(name) is \(found), and \(declared ?? "not") declared; this "
                        + "store has no migrations: copy the data to a new store")
            }
            if let column = missing.keys.min() {
                throw PersistencyError.incompatible("the table \(name) has no column \(column)")
            }
        }
    }

    /// The descriptions of the columns of all tables.
    private var expectedColumns: [String: [String: String]] {
        var expected: [String: [String: String]] = [:]
        for table in tables.flatMap(\.withDescendants) {
            for key in table.keys {
                let isID = key == "id" || key == table.owner
                expected[table.name, default: [:]][key] = describe(isID ? .blob : .integer, false)
            }
            for column in table.schema.columns {
                expected[table.name]?[column.name] = describe(column.type.stored, column.isNullable)
            }
            for link in table.links {
                let id = describe(.blob, false)
                expected[link.name] = [
                    link.owner: id, "position": describe(.integer, false), link.targetColumn: id,
                ]
            }
        }
        return expected
    }

    private func describe(_ type: Database.ColumnType, _ isNullable: Bool) -> String {
        type.rawValue.lowercased() + (isNullable ? "" : " not null")
    }
}
