/// A feature for tests and measurements: a store that counts its work.
public protocol MeasuredStore: Store {
    /// The work since the store was opened.
    func measurements() async -> StoreMeasurements
}

/// The work of a store since it was opened.
public struct StoreMeasurements: Sendable, Equatable {
    /// Rows of roots and owned objects that were inserted, updated or deleted, including roots of which only the
    /// version changed, without rows of links. `nil` if not counted.
    public var rowsWritten: Int?
    /// Bytes appended to durable logs or files; `nil` if not counted.
    public var bytesWritten: Int?
    /// Statements run against a database; `nil` without a database.
    public var statements: Int?
    /// Roots visited by searches by condition, matching or not; `nil` if not counted.
    public var rootsVisited: Int?
    /// The threads on which its long work ran; `nil` if not recorded.
    public var longWork: WorkPlaces?

    /// Creates measurements; what is omitted was not counted.
    public init(
        rowsWritten: Int? = nil, bytesWritten: Int? = nil, statements: Int? = nil, rootsVisited: Int? = nil,
        longWork: WorkPlaces? = nil
    ) {
        self.rowsWritten = rowsWritten
        self.bytesWritten = bytesWritten
        self.statements = statements
        self.rootsVisited = rootsVisited
        self.longWork = longWork
    }
}
