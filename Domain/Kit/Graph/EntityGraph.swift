/// Entities that refer to each other, loaded together: each once, also where references go round in a circle.
public struct EntityGraph: Sendable {
    private var tables: [ObjectIdentifier: [RawID: any Sendable]] = [:]

    init() {}

    /// The entity with this id, if the graph reached it.
    public subscript<E: Entity>(_ id: EntityID<E>) -> Stored<E>? {
        tables[ObjectIdentifier(E.self)]?[id.rawValue] as? Stored<E>
    }

    /// Every entity of a type that the graph reached, in the order of ids.
    public func all<E: Entity>(_ type: E.Type) -> [Stored<E>] {
        let table = tables[ObjectIdentifier(type)] ?? [:]
        return table.sorted { $0.key < $1.key }.compactMap { $0.value as? Stored<E> }
    }

    func contains(_ id: RawID, of type: ObjectIdentifier) -> Bool {
        tables[type]?[id] != nil
    }

    mutating func insert<E: Entity>(_ stored: Stored<E>) {
        tables[ObjectIdentifier(E.self), default: [:]][stored.id.rawValue] = stored
    }
}
