extension PersistencyManager {
    /// Loads all entities that are reachable from some roots along the given edges.
    ///
    /// - Complexity: One read for each edge and each level of distance from the roots, for any number of entities.
    public func graph<Root: Entity>(
        from roots: [Stored<Root>], following edges: [GraphEdge]
    ) async throws(PersistencyError) -> EntityGraph {
        var graph = EntityGraph()
        for root in roots { graph.insert(root) }
        var frontier: [ObjectIdentifier: [any Sendable]] = [ObjectIdentifier(Root.self): roots.map(\.entity)]
        while !frontier.isEmpty {
            var reached: [ObjectIdentifier: [any Sendable]] = [:]
            for edge in edges {
                guard let sources = frontier[edge.source] else { continue }
                var seen: Set<RawID> = []
                let ids = sources.flatMap(edge.targets).filter {
                    !graph.contains($0, of: edge.target) && seen.insert($0).inserted
                }
                guard !ids.isEmpty else { continue }
                reached[edge.target, default: []] += try await edge.load(ids, self, &graph)
            }
            frontier = reached
        }
        return graph
    }
}
