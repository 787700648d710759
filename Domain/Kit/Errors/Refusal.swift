/// Why something may not be deleted: others refer to it.
public struct Refusal: Hashable, Sendable {
    /// What was to be deleted.
    public let target: EntityReference
    /// The entity whose schema refuses.
    public let entity: String
    /// Its column or relationship.
    public let column: String
    /// One that refers to the target.
    public let example: RawID

    /// Names the rule and one entity under it.
    public init(target: EntityReference, entity: String, column: String, example: RawID) {
        self.target = target
        self.entity = entity
        self.column = column
        self.example = example
    }
}
