/// The removal of all references to a deleted entity through one property: one element for any number of entities.
///
/// The entities that had the reference are not named [event.10]. A follower with a copy of them removes the reference
/// from each, and increments the version of each that had it and is not in the same commit.
public struct RemovedReference: Sendable, Equatable {
    /// The name of the entities that had the reference, themselves or in an object that they own.
    public let entity: String
    /// The names of the owned lists from the entity to the referring object, and of the referring column or list.
    public let path: [String]
    /// The entity to which no reference remains.
    public let target: EntityReference

    /// Describes a removal; for stores.
    public init(from entity: String, path: [String], to target: EntityReference) {
        (self.entity, self.path, self.target) = (entity, path, target)
    }
}
