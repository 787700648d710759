/// A kind of reference that a graph follows, from the entities of one type to the entities with the referenced ids.
///
/// ```swift
/// let tags = GraphEdge { (recipe: Recipe) in recipe.tags }
/// ```
public struct GraphEdge: Sendable {
    let source: ObjectIdentifier
    let target: ObjectIdentifier
    let targets: @Sendable (any Sendable) -> [RawID]
    /// Reads the targets, adds them to the graph, and returns them.
    let load:
        @Sendable ([RawID], any PersistencyManager, inout EntityGraph) async throws(PersistencyError) -> [any Sendable]

    /// Follows the ids that a closure extracts from each entity.
    public init<Source: Entity, Target: Entity>(_ targets: @escaping @Sendable (Source) -> [EntityID<Target>]) {
        source = ObjectIdentifier(Source.self)
        target = ObjectIdentifier(Target.self)
        self.targets = { entity in
            guard let entity = entity as? Source else { return [] }
            return targets(entity).map(\.rawValue)
        }
        load = { (ids, manager, graph) async throws(PersistencyError) -> [any Sendable] in
            let found = try await manager.read(ids.map(EntityID<Target>.init))
            for stored in found { graph.insert(stored) }
            return found.map(\.entity)
        }
    }
}
