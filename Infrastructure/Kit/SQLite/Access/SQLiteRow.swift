public import LarderData
public import LarderDomain

/// A row that a statement of ``SQLiteDatabase`` returned: a copy of its values as SQLite stores them.
///
/// A text that is not valid UTF-8 is a blob with its bytes.
public struct SQLiteRow: Hashable, Sendable {
    /// The names of the columns, as the statement declares them; a name may be repeated.
    public let columns: [String]
    /// The values, in the order of the columns. None is an id: see ``id(_:)``.
    public let values: [Value]

    /// The value of the first column with a name; `nil` if there is none.
    ///
    /// - Complexity: O(*n*) for *n* columns.
    public subscript(column: String) -> Value? { columns.firstIndex(of: column).map { values[$0] } }

    /// The id in a column; `nil` if the column does not exist or is not a blob of 16 bytes.
    public func id(_ column: String) -> RawID? {
        guard case .blob(let bytes) = self[column] else { return nil }
        return unsafe bytes.withUnsafeBytes { unsafe RawID(cell: .blob($0)) }
    }
}
