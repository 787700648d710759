/// Makes ids that are unique; injected, so that a test knows them beforehand.
public protocol IDGenerator: Sendable {
    /// An id that this generator never made before.
    func next() -> RawID
}

extension IDGenerator {
    /// The id of a new entity.
    public func next<Owner>(_ type: Owner.Type = Owner.self) -> EntityID<Owner> { EntityID(next()) }
}
