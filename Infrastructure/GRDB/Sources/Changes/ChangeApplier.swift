internal import GRDB
internal import LarderData
internal import LarderDomain

/// Applies and validates one change set within a transaction, which the caller rolls back on an error.
///
/// Statements that expect a version find conflicts themselves: a row with another version does not match. GRDB caches
/// the statements. Owned rows and links are deleted with their owner, by their foreign keys.
struct ChangeApplier {
    let database: Database
    let tables: [StoredTable]

    func apply(_ changes: ChangeSet) throws {
        try judge(changes.reads)
        for update in changes.updates { try self.update(update) }
        for delete in changes.deletes { try self.delete(delete) }
        // Owned objects are deleted before any is inserted, because an id may move from one list to another.
        for update in changes.updates { try deleteOwned(update.changes, update.key.id, table(update.key.schema)) }
        for root in changes.inserts {
            try insert(root, [.integer(changes.version(inserting: root))], table(root.schema))
        }
        // After all roots, because ids of roots are judged first.
        for root in changes.inserts where !root.schema.isFlat { try insertOwned(by: root, table(root.schema)) }
        for update in changes.updates { try changeOwned(update.changes, update.key.id, table(update.key.schema)) }
        if !changes.removals.isEmpty { try Removal.apply(changes, tables, in: database) }
        for update in changes.updates { try judgeUniqueness(update.key, update.changes.columns.map(\.column)) }
        for root in changes.inserts { try judgeUniqueness(root.key, nil) }
    }

    func table(_ schema: EntitySchema) throws(PersistencyError) -> StoredTable {
        for table in tables where table.schema === schema { return table }
        guard let table = tables.first(where: { $0.name == schema.name }) else { throw .unknownEntity(schema.name) }
        return table
    }

    /// Throws `conflict` for the first root without its expected version.
    func judge(_ expectations: [RootExpectation]) throws {
        for expectation in expectations { try judge(expectation.key, expectation.version) }
    }

    private func judge(_ key: EntityKey, _ expected: Int64?) throws {
        let table = try table(key.schema)
        let statement = try database.cachedStatement(sql: "SELECT version FROM \(table.quotedName) WHERE id = ?")
        let found = try Int64.fetchOne(statement, arguments: [key.id.stored])
        guard found == expected else {
            throw PersistencyError.conflict(Conflict(key.reference, expected: expected, found: found))
        }
    }

    private func update(_ update: RootUpdate) throws {
        let table = try table(update.key.schema)
        let assignments = ["version = version + 1"] + table.assignments(update.changes.columns)
        try run(
            "UPDATE \(table.quotedName) SET \(assignments.joined(separator: ", ")) WHERE id = ? AND version = ?",
            update.changes.columns.map(\.value) + [.id(update.key.id), .integer(update.expected)])
        if database.changesCount == 0 { try judge(update.key, update.expected) }
    }

    private func delete(_ delete: RootExpectation) throws {
        guard let version = delete.version else { return try judge(delete.key, nil) }
        try run(
            "DELETE FROM \(try table(delete.key.schema).quotedName) WHERE id = ? AND version = ?",
            [.id(delete.key.id), .integer(version)])
        if database.changesCount == 0 { try judge(delete.key, version) }
    }

    /// Inserts the row of an object.
    ///
    /// - Parameter keys: The version of a root; the owner and the position of an owned object.
    func insert(_ object: StorageObject, _ keys: [Value], _ table: StoredTable) throws {
        try run(table.insert, [.id(object.id)] + keys + object.values)
        guard database.changesCount == 0 else { return }
        throw PersistencyError.duplicate(
            Duplicate(entity: object.schema.name, columns: ["id"], existing: object.id))
    }

    /// - Parameter written: The columns that may have changed; `nil` for all.
    private func judgeUniqueness(_ key: EntityKey, _ written: [Int]?) throws {
        let table = try table(key.schema)
        for group in table.schema.uniques where written.map({ !$0.allSatisfy { !group.contains($0) } }) ?? true {
            let names = group.map { table.schema.columns[$0].name }
            let same = names.map(\.quotedDatabaseIdentifier).map { "other.\($0) = this.\($0)" }
            let statement = try database.cachedStatement(
                sql: """
                    SELECT other.id FROM \(table.quotedName) AS this JOIN \(table.quotedName) AS other \
                    ON \(same.joined(separator: " AND ")) AND other.id <> this.id WHERE this.id = ? LIMIT 1
                    """)
            guard let row = try Row.fetchOne(statement, arguments: [key.id.stored]) else { continue }
            throw PersistencyError.duplicate(Duplicate(entity: table.name, columns: names, existing: try row.id(0)))
        }
    }

    func run(_ sql: String, _ values: [Value]) throws {
        try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(values.map(\.stored)))
    }
}

extension StoredTable {
    /// Assigns a bound value to each of some columns.
    func assignments(_ changes: [ColumnChange]) -> [String] {
        changes.map { change in
            let column = schema.columns[change.column]
            return "\(column.name.quotedDatabaseIdentifier) = \(column.mark)"
        }
    }
}

extension LarderData.Column {
    /// The placeholder of a value: see `Value.stored`.
    var mark: String { type == .blob ? "CAST(? AS BLOB)" : "?" }
}
