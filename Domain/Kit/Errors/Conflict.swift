/// Two changes of one entity, of which the later one was based on what the earlier one replaced.
public struct Conflict: Sendable {
    /// The entity.
    public let reference: EntityReference
    /// The version that the losing change was based on; `nil` when it expected that there is none.
    public let expected: Int64?
    /// The version that is stored; `nil` when it was deleted meanwhile.
    public let found: Int64?
    /// The entity as the losing change read it; `nil` when it did not, or only named a version.
    public var base: (any Entity)?
    /// The entity as the losing change wanted it; `nil` when it was deleting, or only reading.
    public var mine: (any Entity)?
    /// The entity as it is stored now; `nil` when it was deleted meanwhile.
    public var theirs: (any Entity)?

    /// Describes a conflict; stores know versions only, managers add the entities.
    public init(
        _ reference: EntityReference, expected: Int64?, found: Int64?, base: (any Entity)? = nil,
        mine: (any Entity)? = nil, theirs: (any Entity)? = nil
    ) {
        (self.reference, self.expected, self.found, self.base) = (reference, expected, found, base)
        (self.mine, self.theirs) = (mine, theirs)
    }
}
