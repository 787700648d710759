/// What a store did since it was opened.
public struct StoreMeasurements: Sendable, Equatable {
    /// Rows inserted, updated or deleted; `nil` where not counted.
    public var rowsWritten: Int?
    /// Bytes appended to whatever makes it durable; `nil` where not counted.
    public var bytesWritten: Int?
    /// Statements run against a database; `nil` where there is none.
    public var statements: Int?

    /// Makes a measurement.
    public init(rowsWritten: Int? = nil, bytesWritten: Int? = nil, statements: Int? = nil) {
        self.rowsWritten = rowsWritten
        self.bytesWritten = bytesWritten
        self.statements = statements
    }
}
