public import LarderDomain

/// The result of a commit. The caller knows the versions: 1 for an inserted root, and expected + 1 for an updated root.
public struct CommitReceipt: Sendable, Equatable {
    /// The position of the commit [receipt.1]. For an empty change set, the position of the last commit [receipt.2].
    public let token: ChangeToken
    /// The number of roots that a bulk update has changed.
    public let bulkCount: Int

    /// Creates a receipt; for stores.
    public init(token: ChangeToken, bulkCount: Int = 0) {
        (self.token, self.bulkCount) = (token, bulkCount)
    }
}

extension CommittedChanges {
    /// Describes the commit of a change set.
    ///
    /// - Parameter bulkCount: The number of roots that its bulk update has changed.
    /// - Complexity: O(*n*) for *n* roots.
    public init(token: ChangeToken, of changes: ChangeSet, bulkCount: Int = 0) {
        var entries: [CommittedChange] = []
        entries.reserveCapacity(changes.inserts.count + changes.updates.count + changes.deletes.count)
        let replaced = changes.replacedRoots
        for index in changes.inserts.indices {
            let version = changes.keepsVersions ? changes.inserts[index].version : 1
            let isNew = replaced.isEmpty || !replaced.contains(changes.inserts[index].key)
            entries.append(
                CommittedChange(
                    changes.inserts[index].reference, kind: isNew ? .inserted : .updated, version: version,
                    owner: changes.inserts[index].owner))
        }
        for update in changes.updates {
            entries.append(
                CommittedChange(
                    update.key.reference, kind: .updated, version: update.expected + 1, owner: update.owner))
        }
        for delete in changes.deletes where !replaced.contains(delete.key) {
            entries.append(
                CommittedChange(
                    delete.key.reference, kind: .deleted, version: delete.version ?? 0, owner: delete.owner))
        }
        self.init(
            token: token, id: changes.id, entries: entries, removals: changes.removals.map(\.removedReference),
            bulk: changes.bulk.map { CommittedBulkUpdate(of: $0.schema.name, count: bulkCount) })
    }
}

extension ReferenceRemoval {
    /// The removal without its schema.
    public var removedReference: RemovedReference {
        RemovedReference(
            from: reference.root.name, path: reference.names,
            to: EntityReference(entity: reference.target, id: target))
    }
}
