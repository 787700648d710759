// SQLCipher's library has no session extension.
#if !SQLCipher
import CSQLiteSession

/// Observes a connection from within SQLite. The session extension reports the changed columns of each row. The trace
/// reports the columns that `UPDATE` statements set, whether changed or not.
@safe final class WriteWitness {
    struct Failure: Error { let code: Int32 }

    private let connection: OpaquePointer
    private let session: OpaquePointer
    /// The texts of the statements that changed rows.
    private var statements: [String] = []

    /// - Parameter tables: The names of each table's columns, in their order.
    private let tables: [String: [String]]

    init(_ connection: OpaquePointer, tables: [String: [String]]) throws {
        var created: OpaquePointer?
        let code = unsafe sqlite3session_create(connection, "main", &created)
        guard code == SQLITE_OK, let session = unsafe created else { throw Failure(code: code) }
        unsafe (self.connection, self.session) = (connection, session)
        self.tables = tables
        // Without the journal, which a commit always writes.
        for table in tables.keys { unsafe sqlite3session_attach(session, table) }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_trace_v2(
            connection, UInt32(SQLITE_TRACE_STMT),
            { _, context, _, text in
                guard let context = unsafe context, let text = unsafe text else { return 0 }
                let witness = unsafe Unmanaged<WriteWitness>.fromOpaque(context).takeUnretainedValue()
                let statement = unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
                if statement.hasPrefix("UPDATE ") { witness.statements.append(statement) }
                return 0
            }, context)
    }

    deinit {
        unsafe sqlite3_trace_v2(connection, 0, nil, nil)
        unsafe sqlite3session_delete(session)
    }

    /// The rows that have changed since the witness was created.
    func rows() throws -> Set<RowChange> {
        var (length, bytes): (Int32, UnsafeMutableRawPointer?) = (0, nil)
        try check(unsafe sqlite3session_changeset(session, &length, &bytes))
        defer { unsafe sqlite3_free(bytes) }
        var iterator: OpaquePointer?
        try check(unsafe sqlite3changeset_start(&iterator, length, bytes))
        defer { unsafe sqlite3changeset_finalize(iterator) }
        var rows: Set<RowChange> = []
        while unsafe sqlite3changeset_next(iterator) == SQLITE_ROW {
            if let row = try unsafe row(iterator) { rows.insert(row) }
        }
        return rows
    }

    /// The columns that `UPDATE` statements set, each as `table: columns`, without versions.
    var updates: [String] { statements.compactMap(Self.columnsSet).sorted() }

    private func row(_ iterator: OpaquePointer?) throws -> RowChange? {
        var name: UnsafePointer<CChar>?
        var (count, operation, indirect): (Int32, Int32, Int32) = (0, 0, 0)
        try check(unsafe sqlite3changeset_op(iterator, &name, &count, &operation, &indirect))
        let table = unsafe name.map { unsafe String(cString: $0) } ?? ""
        var key: UnsafeMutablePointer<UInt8>?
        try check(unsafe sqlite3changeset_pk(iterator, &key, nil))
        var (keys, changed): ([String], Set<String>) = ([], [])
        for index in 0..<count {
            var value: OpaquePointer?
            let isKey = unsafe key.map { unsafe $0[Int(index)] != 0 } ?? false
            let isInsert = operation == SQLITE_INSERT
            let takesOld = isKey && !isInsert
            try check(
                unsafe takesOld
                    ? sqlite3changeset_old(iterator, index, &value) : newValue(iterator, index, operation, &value))
            if isKey, let value = unsafe value { keys.append(unsafe Self.text(value)) }
            if !isKey, operation == SQLITE_UPDATE, unsafe value != nil { changed.insert(column(Int(index), of: table)) }
        }
        let row = RowKey(table: table, key: keys)
        changed.remove("version")
        if operation == SQLITE_INSERT { return RowChange(row: row, kind: .insert) }
        if operation == SQLITE_DELETE { return RowChange(row: row, kind: .delete) }
        return changed.isEmpty ? nil : RowChange(row: row, kind: .update(changed))
    }

    private func newValue(
        _ iterator: OpaquePointer?, _ index: Int32, _ operation: Int32, _ value: inout OpaquePointer?
    ) -> Int32 {
        operation == SQLITE_DELETE ? SQLITE_OK : unsafe sqlite3changeset_new(iterator, index, &value)
    }

    private func column(_ index: Int, of table: String) -> String {
        guard let columns = tables[table], columns.indices.contains(index) else { return "column \(index)" }
        return columns[index]
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw Failure(code: code) }
    }

    private static func text(_ value: OpaquePointer) -> String {
        guard unsafe sqlite3_value_type(value) == SQLITE_BLOB else {
            return "\(unsafe sqlite3_value_int64(value))"
        }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
        return unsafe bytes.reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    }

    /// The table and the columns of `UPDATE "table" SET "column" = ..., ... WHERE ...`.
    private static func columnsSet(_ statement: String) -> String? {
        let words = statement.split(separator: "\"", omittingEmptySubsequences: false)
        guard words.count > 2, let condition = statement.firstRange(of: " WHERE "),
            let set = statement.firstRange(of: " SET ")
        else { return nil }
        let terms = statement[set.upperBound..<condition.lowerBound].split(separator: ",")
        let columns = terms.compactMap { $0.split(separator: "\"").first { $0 != " " } }.map(String.init)
        let named = Set(columns).subtracting(["version"]).sorted()
        return named.isEmpty ? nil : "\(words[1]): \(named.joined(separator: ", "))"
    }
}
#endif
