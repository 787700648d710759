/// Generates unique ids; injected, so that ids in tests are predictable.
public protocol IDGenerator: Sendable {
    /// Generates an id that this generator has not returned before.
    func next() -> RawID
}

extension IDGenerator {
    /// Generates the id of a new entity.
    public func next<Owner>(_ type: Owner.Type = Owner.self) -> EntityID<Owner> { EntityID(next()) }
}
