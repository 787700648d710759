/// A value that had to be unique and was not.
public struct Duplicate: Hashable, Sendable {
    /// The schema of the root or owned object that could not be stored.
    public let entity: String
    /// The columns that are unique together, in the order of the schema; `["id"]` for the id itself.
    public let columns: [String]
    /// The id of the root or owned object that has the value already.
    public let existing: RawID

    public init(entity: String, columns: [String], existing: RawID) {
        (self.entity, self.columns, self.existing) = (entity, columns, existing)
    }
}
