internal import LarderDomain

extension UnitOfWork.State {
    /// Notes the nested transaction that writes. The caller has the turn.
    mutating func beginWrite(in nested: Int?) throws(PersistencyError) {
        if let nested, self.nested[nested] == nil { throw .outsideTransaction("its transaction has ended") }
        writer = nested
    }

    func isLoss(_ error: PersistencyError, of changes: ChangeSet) -> Bool {
        error.isLoss(
            missed: { reference in
                changes.inserts.contains { $0.reference == reference && tracked[$0.key]?.isBaseKnown == true }
            }, deleted: { id in changes.deletes.contains { $0.key.id == id } })
    }

    /// Drops contents of roots that were only read, unless a write runs: it reads roots that it then changes.
    mutating func dropContents() {
        if waiting == nil { tracked.dropContents(above: keptBytes) }
    }

    /// Tracks a root as read from the store, unless it is tracked already.
    ///
    /// - Throws: `conflict` when it was read at another version: the unit would mix two states; `unavailable` (`tooLarge`)
    ///   when the unit has read too many roots.
    mutating func track(_ key: EntityKey, _ object: StorageObject?) throws(PersistencyError) {
        let known = tracked[key]
        let version = known?.base?.version ?? tracked.versionOfDropped(key)
        guard version == object?.version || known?.isBaseKnown != true && version == nil else {
            isLost = true
            throw .conflict(Conflict(key.reference, expected: version, found: object?.version))
        }
        if known != nil { return }
        guard version != nil || tracked.count < readLimit else {
            throw .unavailable(
                Unavailable(.tooLarge, "a transaction reads or writes at most \(readLimit) entities; use several"))
        }
        tracked.begin(key, base: object)
    }
}
