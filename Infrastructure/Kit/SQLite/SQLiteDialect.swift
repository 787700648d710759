internal import LarderData

/// SQLite's SQL.
struct SQLiteDialect: SQLDialect {
    /// What a build of SQLite allows unless it was told otherwise.
    var maximumValues: Int { 32_000 }

    func placeholder(_ number: Int) -> String { "?\(number)" }

    func type(_ type: ColumnType) -> String {
        switch SQLKind(type) {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob, .id: "BLOB"
        }
    }

    func constant(_ value: Value) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .text(let text):
            "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
        case .blob(let bytes): "x'" + bytes.map(hexadecimal).joined() + "'"
        case .id(let id): "x'" + id.bytes.map(hexadecimal).joined() + "'"
        }
    }

    private func hexadecimal(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }

    /// The key is the table, one search instead of two; rows with blobs would make that tree deep.
    func tableOptions(hasBlobs: Bool) -> String { hasBlobs ? " STRICT" : " STRICT, WITHOUT ROWID" }

    func same(_ lhs: String, _ rhs: String) -> String { "\(lhs) IS \(rhs)" }

    func isTrue(_ condition: String) -> String { "((\(condition)) IS TRUE)" }

    func contains(_ text: String, _ part: String) -> String { "instr(\(text), \(part)) > 0" }

    func arithmetic(_ lhs: String, _ operation: Arithmetic, _ rhs: String, _ kind: SQLKind) -> String {
        "(\(lhs) \(operation.rawValue) \(rhs))"
    }

    /// An integer that overflows becomes a real number, which every operation above it keeps (`%` too), so that one look
    /// at the end is enough; division by zero and NaN are `NULL`.
    func hasAnswer(_ number: String, _ kind: SQLKind) -> String {
        kind == .integer ? "typeof(\(number)) = 'integer'" : "\(number) IS NOT NULL"
    }

    /// `NULL` is SQLite's smallest value.
    func orderTerm(_ operand: String, isDescending: Bool) -> String { operand + (isDescending ? " DESC" : "") }
}
