/// Entities loaded together along their references, each once; references may form cycles.
public struct EntityGraph: Sendable {
    private var tables: [ObjectIdentifier: [RawID: any Sendable]] = [:]

    /// The entity with this id, if it is in the graph.
    public subscript<E: Entity>(_ id: EntityID<E>) -> Stored<E>? {
        tables[ObjectIdentifier(E.self)]?[id.rawValue] as? Stored<E>
    }

    /// All entities of a type in the graph, ordered by id.
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
