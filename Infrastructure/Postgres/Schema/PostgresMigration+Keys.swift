#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// Foreign keys, unique groups, and indexes. Each is found by the name of its table, too: others may use the same name.
extension PostgresMigration {
    /// All tables, indexes and other relations of the PostgreSQL schema: an index with its table, and whether it is complete.
    func relations() throws(PersistencyError) -> [String: (table: String, isValid: Bool)] {
        let rows = try connection.run(
            """
            SELECT c.relname::text, coalesce(t.relname::text, ''), coalesce(x.indisvalid, true) FROM pg_catalog.pg_class c
            LEFT JOIN pg_catalog.pg_index x ON x.indexrelid = c.oid
            LEFT JOIN pg_catalog.pg_class t ON t.oid = x.indrelid
            WHERE c.relnamespace = \(PostgresConnection.schemaID)
            """)
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.text(0), ($0.text(1), $0.integer(2) == 1)) })
    }

    /// The existing keys and unique groups.
    private func constraints() throws(PersistencyError) -> Set<PostgresName> {
        let rows = try connection.run(
            "SELECT relname::text, conname::text FROM pg_catalog.pg_constraint "
                + "JOIN pg_catalog.pg_class c ON c.oid = conrelid "
                + "WHERE contype IN ('p', 'f', 'x') AND relnamespace = \(PostgresConnection.schemaID)")
        return Set(rows.map { PostgresName(table: $0.text(0), name: $0.text(1)) })
    }

    /// Drops constraints that exist. ``complete(existing:)`` adds them again.
    func drop(_ keys: [PostgresName]) throws(PersistencyError) {
        var present = try constraints()
        for key in keys where present.remove(key) != nil {
            try run("ALTER TABLE \(SQLText.quoted(key.table)) DROP CONSTRAINT \(SQLText.quoted(key.name))")
        }
    }

    /// Drops the indexes of tables that other tables of the same names do not have.
    func dropIndexes(of old: [PostgresRelation], except new: [PostgresRelation]) throws(PersistencyError) {
        let (present, kept) = (try relations(), new.names)
        for index in old.flatMap(\.indexes) where present[index.name]?.table == index.table && !kept.contains(index) {
            try run("DROP INDEX \(SQLText.quoted(index.name))")
        }
    }

    /// Renames constraints and indexes, whose names contain those of tables and columns.
    func renameKeys(of old: [PostgresRelation], as new: [PostgresRelation]) throws(PersistencyError) {
        let (constraints, indexes) = (try constraints(), try relations())
        for (old, new) in zip(old, new) {
            for (key, renamed) in zip(old.constraints.map(\.name.name), new.constraints.map(\.name.name))
            where key != renamed && constraints.contains(PostgresName(table: new.name, name: key)) {
                try run(
                    "ALTER TABLE \(SQLText.quoted(new.name)) RENAME CONSTRAINT \(SQLText.quoted(key)) "
                        + "TO \(SQLText.quoted(renamed))")
            }
            for (index, renamed) in zip(old.indexes.map(\.name), new.indexes.map(\.name))
            where index != renamed && indexes[index]?.table == new.name {
                try run("ALTER INDEX \(SQLText.quoted(index)) RENAME TO \(SQLText.quoted(renamed))")
            }
        }
    }

    /// Adds missing foreign keys and unique groups, and the indexes of new tables.
    ///
    /// - Parameter existing: The tables whose indexes are built after the transaction.
    func complete(existing: Set<String> = []) throws(PersistencyError) {
        // A table with pending checks, also of others, cannot be altered.
        try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        let constraints = try constraints()
        for table in plan.tables.map(\.table) {
            for key in PostgresDefinition.foreignKeys(table)
            where !constraints.contains(key.name) { try run(key.text) }
            for group in table.schema.uniques {
                let name = PostgresName(table: table.name, name: PostgresDefinition.uniqueName(group, of: table))
                // Its index cannot be built while others write.
                if !constraints.contains(name) { try run(PostgresDefinition.unique(group, of: table)) }
            }
        }
        for (table, index) in try missingIndexes() where !existing.contains(index.table) {
            for text in PostgresDialect().definitions(of: index, on: table) { try run(text) }
        }
    }

    /// Builds the missing indexes of tables, while others write, outside of a transaction. One that was interrupted is
    /// built when a store is opened next.
    func buildIndexes() throws(PersistencyError) {
        for (table, index) in try missingIndexes() {
            let name = PostgresDialect().short(index.name)
            // It waits for all transactions that are running, and blocks none.
            try connection.execute("SET lock_timeout TO \(Self.patience.milliseconds)")
            if try relations()[name] != nil { try run("DROP INDEX CONCURRENTLY \(SQLText.quoted(name))") }
            for text in PostgresDialect().definitions(of: index, on: table, concurrently: true) { try run(text) }
        }
    }

    /// The declared indexes that do not exist, or whose build was interrupted.
    func missingIndexes() throws(PersistencyError) -> [(table: SQLTable, index: SQLIndex)] {
        let present = try relations()
        return plan.tables.map(\.table).flatMap { table in
            let uniques = table.schema.uniques.map { PostgresDefinition.uniqueName($0, of: table) }
            return table.indexes.filter { index in
                let name = PostgresDialect().short(index.name)
                let isPresent = present[name].map { $0.table == index.table && $0.isValid } ?? false
                return !isPresent && !uniques.contains(name)
            }.map { (table, $0) }
        }
    }

    /// Whether indexes are missing that the options and the rights of the role permit to build: it may create indexes on all
    /// tables.
    func mayBuildIndexes() throws(PersistencyError) -> Bool {
        guard options.mode != .none, try !missingIndexes().isEmpty else { return false }
        return try connection.run(
            "SELECT bool_and(pg_has_role(relowner, 'USAGE')) FROM pg_catalog.pg_class WHERE relname = ANY ($1::text[]) "
                + "AND relnamespace = \(PostgresConnection.schemaID)", [PostgresArray.texts(plan.tableNames)]
        ).isTrue
    }
}
#endif
