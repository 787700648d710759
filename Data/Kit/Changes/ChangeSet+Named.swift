public import LarderDomain

extension ChangeSet {
    /// The change set with an update of each root that its bulk update changes, for stores that keep storage objects.
    ///
    /// - Parameter roots: The roots of the update's schema.
    public func namingBulk(_ roots: some Sequence<StorageObject>) throws(PersistencyError) -> ChangeSet {
        guard let bulk else { return self }
        var named = self
        named.bulk = nil
        let (affected, refusing) = (bulk.affected, bulk.refusing)
        for root in roots where affected.holds(for: root) {
            for (column, condition) in refusing where condition.holds(for: root) {
                throw bulk.refusal(column, of: root.id)
            }
            named.updates.append(
                RootUpdate(root.key, expected: root.version, changes: bulk.changes(of: root), owner: root.owner))
        }
        return named
    }
}
