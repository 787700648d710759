/// A reference without a target.
public struct Dangling: Hashable, Sendable {
    /// The schema of the root or owned object with the reference.
    public let entity: String
    /// Its column or relationship.
    public let column: String
    /// The id without a stored root.
    public let id: RawID

    /// Describes a reference; for stores.
    public init(entity: String, column: String, id: RawID) {
        (self.entity, self.column, self.id) = (entity, column, id)
    }
}
