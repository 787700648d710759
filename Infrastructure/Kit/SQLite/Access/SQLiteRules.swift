internal import CLarderSQLite

/// The permitted actions of a statement of ``SQLiteDatabase``, as SQLite reports them to an authorizer.
struct SQLiteRules {
    /// The tables and indexes that only the store changes, in lower case; `nil` if nothing may be changed.
    let protected: Set<String>?

    private static let schemas: Set = ["sqlite_master", "sqlite_temp_master"]
    /// SQLite's tables that change with a table of the service.
    private static let system: Set = ["sqlite_master", "sqlite_sequence", "sqlite_stat1", "sqlite_stat4"]
    /// Pragmas that only read, with an argument or without; virtual tables use the first two.
    private static let pragmas: Set = [
        "data_version", "page_size", "compile_options", "foreign_key_check", "foreign_key_list", "index_info",
        "index_list", "index_xinfo", "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
    ]
    /// Pragmas that read without an argument, and write with one.
    private static let settings: Set = ["application_id", "encoding", "freelist_count", "page_count", "user_version"]
    /// Functions that load code, or copy a sealed database.
    private static let loaders: Set = ["fts3_tokenizer", "load_extension", "sqlcipher_export"]

    /// Why an action is refused; `nil` if it is permitted.
    ///
    /// - Parameters:
    ///   - first: The first operand of the action: the table, or the name of an index, trigger or pragma.
    ///   - second: The second operand: the table of an index or trigger, the argument of a pragma, or a function.
    func refusal(of action: Int32, _ first: String, _ second: String) -> String? {
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return nil
        case SQLITE_FUNCTION:
            return Self.loaders.contains(second.lowercased())
                ? "\(second)() is not permitted through SQLiteAccess" : nil
        case SQLITE_PRAGMA:
            let first = first.lowercased()
            let isRead = Self.pragmas.contains(first) && (first != "page_size" || second.isEmpty)
            return isRead || Self.settings.contains(first) && second.isEmpty
                ? nil : "PRAGMA \(first) is not permitted through SQLiteAccess"
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return "SQLiteAccess begins and ends the transaction itself"
        case SQLITE_ATTACH, SQLITE_DETACH: return "SQLiteAccess does not permit other databases"
        // SQLite updates its schema tables when it connects a virtual table, and refuses a statement that does.
        case SQLITE_UPDATE where Self.schemas.contains(first): return nil
        case _ where protected == nil: return "a read must not change the database; use SQLiteAccess.write"
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_CREATE_TABLE, SQLITE_DROP_TABLE, SQLITE_CREATE_VTABLE,
            SQLITE_DROP_VTABLE, SQLITE_CREATE_VIEW, SQLITE_DROP_VIEW, SQLITE_REINDEX, SQLITE_ANALYZE:
            return refusal(changing: first)
        case SQLITE_ALTER_TABLE: return refusal(changing: second)
        case SQLITE_CREATE_INDEX, SQLITE_DROP_INDEX, SQLITE_CREATE_TRIGGER, SQLITE_DROP_TRIGGER:
            return refusal(changing: second) ?? (isProtected(first) ? refusal(changing: first) : nil)
        default: return "SQLiteAccess does not permit a statement of this kind"
        }
    }

    private func refusal(changing name: String) -> String? {
        if isProtected(name) { return "\(name) belongs to the store, which changes only by its commits" }
        if !name.lowercased().hasPrefix("sqlite_") || Self.system.contains(name) { return nil }
        return name == "sqlite_temp_master"
            ? "SQLiteAccess does not permit temporary tables, views and triggers" : "\(name) belongs to SQLite"
    }

    private func isProtected(_ name: String) -> Bool { protected?.protects(name) ?? true }
}

extension Set<String> {
    /// Whether a name belongs to the store: it is in this set, or it has the prefix of the store's own records.
    func protects(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("larder_") || contains(name)
    }
}

extension SQLPlan {
    /// The names of all tables and indexes, in lower case, as SQLite compares names.
    var names: Set<String> {
        let tables = roots.flatMap(\.table.withDescendants)
        // A table of FTS5 has others.
        let words = tables.compactMap(\.wordIndex).flatMap { name in ["", "_data", "_idx", "_config"].map { name + $0 }
        }
        return Set(
            (words + tables.flatMap { [$0.name] + $0.links.map(\.name) + $0.indexes.map(\.name) }).map {
                $0.lowercased()
            })
    }
}
