/// A change that was based on a stale version of an entity.
public struct Conflict: Sendable {
    /// The entity [conflict.1].
    public let reference: EntityReference
    /// The version that the rejected change was based on; `nil` if it expected that the entity does not exist
    /// [conflict.2].
    public let expected: Int64?
    /// The stored version; `nil` if the entity was deleted concurrently [conflict.3].
    public let found: Int64?
    /// The entity that the rejected change read [conflict.4]; `nil` if it read none, only named a version,
    /// or has read more since than a transaction keeps.
    public var base: (any Entity)?
    /// The new entity of the rejected change [conflict.5]; `nil` for a delete or a read.
    public var mine: (any Entity)?
    /// The entity as stored now; `nil` if it was deleted concurrently [conflict.6].
    public var theirs: (any Entity)?

    /// Describes a conflict. Stores know only versions; managers add the entities.
    public init(
        _ reference: EntityReference, expected: Int64?, found: Int64?, base: (any Entity)? = nil,
        mine: (any Entity)? = nil, theirs: (any Entity)? = nil
    ) {
        (self.reference, self.expected, self.found, self.base) = (reference, expected, found, base)
        (self.mine, self.theirs) = (mine, theirs)
    }
}
