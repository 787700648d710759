internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

#if !SQLCipher
// Its only effect is that the program is linked with the library.
private import CLarderSQLiteLibrary
#endif

/// The differences between versions of SQLite. SQLCipher may contain an older one than the distribution's SQLite; Debian's
/// contains 3.15. `shim.h` replaces functions that it lacks.
enum SQLiteLibrary {
    private static let version = sqlite3_libversion_number()

    /// The maximum number of bound values of a statement. SQLite's default limit is higher.
    static let maximumValues = version >= 3_032_000 ? 32_000 : 900

    /// Whether `ALTER TABLE` renames and drops columns, and renames a table together with the references to it.
    static let altersColumns = version >= 3_035_000

    /// The type of a column that keeps every value as it is.
    static let anyType = version >= 3_037_000 ? "ANY" : "BLOB"

    /// Whether it supports indexes of words: tables of FTS5 without content.
    static let indexesWords = unsafe version >= 3_020_000 && sqlite3_compileoption_used("ENABLE_FTS5") != 0

    /// The name of the function of a connection that computes the rank of words by the starts of entries.
    static let rank = "larder_rank"

    /// The name of the function of a connection that removes the weights from a text of words.
    static let words = "larder_words"

    /// Defines ``rank`` and ``words`` on a new connection.
    static func defineFunctions(on handle: OpaquePointer) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        unsafe sqlite3_create_function_v2(
            handle, rank, 2, flags, nil,
            { context, _, values in
                guard let words = unsafe values?[0], let starts = unsafe values?[1] else { return }
                unsafe sqlite3_result_int64(context, WordText.rank(of: .init(text: starts), in: .init(text: words)))
            }, nil, nil, nil)
        unsafe sqlite3_create_function_v2(
            handle, words, 1, flags, nil,
            { context, _, values in
                guard let text = unsafe values?[0] else { return }
                let words = unsafe WordText.words(of: .init(text: text))
                unsafe words.withUnsafeBytes { bytes in
                    unsafe sqlite3_result_text(
                        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
                        larder_sqlite_transient())
                }
            }, nil, nil, nil)
    }

    /// Whether databases can be sealed.
    static var seals: Bool {
        #if SQLCipher
        true
        #else
        false
        #endif
    }

    /// Throws `unavailable` for a passphrase that this program could not use.
    static func checkSupport(
        of passphrase: Passphrase?, _ location: SQLiteStore.Location
    ) throws(PersistencyError) {
        guard case .file(let path) = location, passphrase != nil, !seals else { return }
        throw .passphrase(.unsupported, path, "; build it with the trait SQLCipher")
    }

    /// Sets the key of a new connection.
    static func setKey(_ passphrase: Passphrase, on handle: OpaquePointer) throws(PersistencyError) {
        #if SQLCipher
        let code = unsafe passphrase.bytes.withUnsafeBytes {
            unsafe sqlite3_key(handle, $0.baseAddress, Int32(truncatingIfNeeded: $0.count))
        }
        guard code == SQLITE_OK else {
            throw SQLiteError(code: code, message: "the passphrase cannot be set").persistencyError
        }
        #endif
    }

    /// The options at the end of a table's definition. An older library does not check the types of values.
    static func options(_ options: [String]) -> String {
        let known = options.filter { version >= 3_037_000 || $0 != "STRICT" }
        return known.isEmpty ? "" : " " + known.joined(separator: ", ")
    }
}

/// Pragmas as statements, because an older library has no functions for them.
extension SQLiteConnection {
    struct ForeignKey {
        let table: String
        /// Its number among the foreign keys of the table.
        let number: Int64
        let target: String
        let column: String
    }

    func foreignKeys(of table: String) throws(PersistencyError) -> [ForeignKey] {
        try rows("PRAGMA foreign_key_list(\(SQLText.quoted(table)))") {
            ForeignKey(table: table, number: $0.integer(0), target: $0.text(2), column: $0.text(3))
        }
    }

    /// The foreign keys of all tables.
    func foreignKeys() throws(PersistencyError) -> [ForeignKey] {
        try rows("SELECT name FROM sqlite_master WHERE type = 'table'") { row throws(PersistencyError) in
            try foreignKeys(of: row.text(0))
        }.flatMap(\.self)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes of a text that SQLite passes to a function.
    fileprivate init(text value: OpaquePointer) {
        let start = unsafe sqlite3_value_text(value)
        unsafe self.init(start: start, count: Int(sqlite3_value_bytes(value)))
    }
}
