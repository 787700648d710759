extension ChangeSet {
    /// The keys of inserted, updated and deleted roots.
    var writtenKeys: [EntityKey] { inserts.map(\.key) + updates.map(\.key) + deletes.map(\.key) }
}
