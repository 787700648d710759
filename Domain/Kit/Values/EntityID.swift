/// The id of an entity of type `Owner`; ids of different entity types cannot be mixed up.
public struct EntityID<Owner>: Hashable, Sendable {
    /// The untyped id.
    public let rawValue: RawID

    /// Adds the type to an id.
    @inlinable
    public init(_ rawValue: RawID) {
        self.rawValue = rawValue
    }
}

extension EntityID: Comparable {
    /// Byte order, which for ids of ``UUIDv7Generator`` is creation order.
    public static func < (lhs: EntityID, rhs: EntityID) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension EntityID: LosslessStringConvertible {
    /// The RFC 9562 form, in lower case.
    public var description: String { rawValue.description }

    /// Parses the RFC 9562 form, with or without hyphens; `nil` for any other text.
    public init?(_ description: String) {
        guard let rawValue = RawID(description) else { return nil }
        self.init(rawValue)
    }
}
