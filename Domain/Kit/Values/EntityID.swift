/// The id of one entity of type `Owner`: an id of a recipe is never taken for the id of a tag.
public struct EntityID<Owner>: Hashable, Sendable {
    /// The bits, without the type.
    public let rawValue: RawID

    /// Types raw bits.
    @inlinable
    public init(_ rawValue: RawID) {
        self.rawValue = rawValue
    }
}

extension EntityID: Comparable {
    /// Byte order, which for ids of ``UUIDv7Generator`` is the order of their making.
    public static func < (lhs: EntityID, rhs: EntityID) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension EntityID: LosslessStringConvertible {
    /// The form of RFC 9562, in lower case.
    public var description: String { rawValue.description }

    /// Reads the form of RFC 9562, with or without hyphens; `nil` for any other text.
    public init?(_ description: String) {
        guard let rawValue = RawID(description) else { return nil }
        self.init(rawValue)
    }
}
