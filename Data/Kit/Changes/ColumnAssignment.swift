/// The change of one column of a ``BulkChange``.
public struct ColumnAssignment: Sendable, Equatable {
    /// A kind of change.
    public enum Change: Sendable, Equatable {
        /// A value.
        case set(Value)
        /// An addition to an integer or, in days, to a day; `null` remains. A sum below the second or above the third value
        /// refuses the update; the text describes the valid sums.
        case add(Int64, Value, Value, String)
    }

    /// The index of the column.
    public let column: Int
    /// The change.
    public let change: Change

    /// Changes a column, by its index in the schema.
    public init(column: Int, _ change: Change) {
        (self.column, self.change) = (column, change)
    }
}
