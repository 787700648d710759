/// A violation of uniqueness.
public struct Duplicate: Hashable, Sendable {
    /// The schema of the rejected root or owned object [duplicate.1].
    public let entity: String
    /// The columns that must be unique together, in the order of their group; `["id"]` for the id itself [duplicate.2].
    public let columns: [String]
    /// The id of the stored root or owned object with the same value [duplicate.3]; that of the first of two in one batch.
    public let existing: RawID

    /// Describes a violation; for stores.
    public init(entity: String, columns: [String], existing: RawID) {
        (self.entity, self.columns, self.existing) = (entity, columns, existing)
    }
}
