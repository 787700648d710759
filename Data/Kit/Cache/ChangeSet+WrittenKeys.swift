extension ChangeSet {
    /// The keys of inserted, updated and deleted roots.
    var writtenKeys: [EntityKey] { inserts.map(\.key) + updates.map(\.key) + deletes.map(\.key) }

    /// The names of the schemas of which it changes roots that it does not name.
    var staleSchemas: Set<String> {
        Set(removals.map(\.reference.root.name) + (bulk.map { [$0.schema.name] } ?? []))
    }
}
