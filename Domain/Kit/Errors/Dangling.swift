/// A reference without a target.
public struct Dangling: Hashable, Sendable {
    /// The schema of the root or owned object with the reference [dangling.1].
    public let entity: String
    /// Its column or relationship [dangling.2].
    public let column: String
    /// The id without a stored root [dangling.3].
    public let id: RawID

    /// Describes a reference; for stores.
    public init(entity: String, column: String, id: RawID) {
        (self.entity, self.column, self.id) = (entity, column, id)
    }
}
