/// An update of all entities of a query: one element for any number of entities, which are not named.
public struct CommittedBulkUpdate: Sendable, Equatable {
    /// The name of the entities.
    public let entity: String
    /// The number of changed entities; `nil` through a guarded manager, because it includes entities that the caller may not
    /// see.
    public let count: Int?

    /// Describes an update; for stores.
    public init(of entity: String, count: Int?) {
        (self.entity, self.count) = (entity, count)
    }
}
