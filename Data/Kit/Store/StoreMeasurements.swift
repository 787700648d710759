/// What a store did since it was opened.
public struct StoreMeasurements: Sendable, Equatable {
    /// Rows of roots and owned objects that were inserted, updated or deleted, a root also where only its version changes;
    /// not rows of links. `nil` where not counted.
    public var rowsWritten: Int?
    /// Bytes appended to whatever makes it durable; `nil` where not counted.
    public var bytesWritten: Int?
    /// Statements run against a database; `nil` where there is none.
    public var statements: Int?
    /// Roots that searches by condition have visited, whether they satisfied it or not; `nil` where not counted.
    public var rootsVisited: Int?
    /// Where its long work ran; `nil` where it does not look.
    public var longWork: WorkPlaces?

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
