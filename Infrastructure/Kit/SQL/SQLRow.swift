public import LarderData
public import LarderDomain

/// A row that a statement of ``SQLiteDatabase``, or of the database of `PostgresAccess`, returned: a copy of its values.
///
/// A text that is not valid UTF-8 is a blob with its bytes.
public struct SQLRow: Hashable, Sendable {
    /// The names of the columns, as the statement declares them; a name may be repeated.
    public let columns: [String]
    /// The values, in the order of the columns. None is an id: see ``id(_:)``.
    public let values: [Value]

    package init(columns: [String], values: [Value]) { (self.columns, self.values) = (columns, values) }

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

/// The former name of ``SQLRow``.
@available(*, deprecated, renamed: "SQLRow")
public typealias SQLiteRow = SQLRow
