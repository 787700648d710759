/// A value that had to be unique and was not.
public struct Duplicate: Hashable, Sendable {
    /// The entity that could not be stored.
    public let entity: String
    /// The columns that are unique together; `["id"]` for the id itself.
    public let columns: [String]
    /// The entity that has the value already.
    public let existing: RawID

    /// Names what is there twice.
    public init(entity: String, columns: [String], existing: RawID) {
        self.entity = entity
        self.columns = columns
        self.existing = existing
    }
}
