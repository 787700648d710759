internal import LarderDomain

/// The changes that one nested transaction has planned in its unit: how each root was before the first of them.
struct NestedChanges {
    /// The transaction around it; `nil` for the unit's own.
    let outer: Int?
    /// As the unit tracked the roots; `nil` for those that it did not track.
    private(set) var before: [EntityKey: TrackedRoots.Root?] = [:]
    /// As the transaction has planned them.
    private(set) var planned: [EntityKey: StorageObject?] = [:]
    /// The removals of the unit before the first change of them, and those that the transaction has planned.
    private(set) var removals: (before: [ReferenceRemoval], planned: [ReferenceRemoval])?

    mutating func note(_ key: EntityKey, before root: TrackedRoots.Root?, planned object: StorageObject?) {
        if before[key] == nil { before.updateValue(root, forKey: key) }
        planned.updateValue(object, forKey: key)
    }

    mutating func note(_ planned: [ReferenceRemoval], before: [ReferenceRemoval]) {
        removals = (removals?.before ?? before, (removals?.planned ?? []) + planned)
    }

    /// Takes the changes of a transaction within this one, which has ended.
    mutating func take(_ inner: NestedChanges) {
        for (key, root) in inner.before { note(key, before: root, planned: inner.planned[key] ?? nil) }
        if let removals = inner.removals { note(removals.planned, before: removals.before) }
    }
}

extension UnitOfWork {
    /// Begins a transaction within this unit, or within another nested one.
    ///
    /// - Returns: Its number, which each of its writes names.
    func beginNested(in outer: Int?) throws(PersistencyError) -> Int {
        try checkOpen()
        lastNested += 1
        nested[lastNested] = NestedChanges(outer: outer)
        return lastNested
    }

    /// Keeps the changes of a nested transaction as changes of the one around it.
    func endNested(_ number: Int) {
        guard let ended = nested.removeValue(forKey: number), let outer = ended.outer else { return }
        nested[outer]?.take(ended)
    }

    /// Discards the changes that a nested transaction has planned. Its reads stay expectations of the unit.
    ///
    /// If another task of the unit has since changed one of those roots, its change may be based on a discarded one: then
    /// the unit cannot be committed, and the whole transaction runs again.
    func discardNested(_ number: Int) {
        guard let ended = nested.removeValue(forKey: number) else { return }
        for (key, root) in ended.before {
            if let planned = ended.planned[key], tracked[key]?.current != planned { overwritten = key }
            tracked.restore(key, to: root)
        }
        guard let removals = ended.removals else { return }
        let others = tracked.removals.filter { !removals.before.contains($0) && !removals.planned.contains($0) }
        let kept = removals.before + others
        tracked.replace(kept + removals.planned, by: kept)
    }
}
