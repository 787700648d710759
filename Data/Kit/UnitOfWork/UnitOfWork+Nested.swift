internal import LarderDomain

/// The pending changes of one nested transaction, with the state of each root before the first of them.
struct NestedChanges {
    /// The enclosing nested transaction; `nil` if the unit encloses it directly.
    let outer: Int?
    /// The earlier states of the roots; `nil` for roots that were not tracked.
    private(set) var before: [EntityKey: TrackedRoots.Root?] = [:]
    /// The states that the transaction has planned; `nil` for deleted roots.
    private(set) var planned: [EntityKey: StorageObject?] = [:]
    /// The unit's removals before the first change to them, and the removals that the transaction has planned.
    private(set) var removals: (before: [ReferenceRemoval], planned: [ReferenceRemoval])?

    mutating func note(_ key: EntityKey, before root: TrackedRoots.Root?, planned object: StorageObject?) {
        if before[key] == nil { before.updateValue(root, forKey: key) }
        planned.updateValue(object, forKey: key)
    }

    mutating func note(_ planned: [ReferenceRemoval], before: [ReferenceRemoval]) {
        removals = (removals?.before ?? before, (removals?.planned ?? []) + planned)
    }

    /// Merges the changes of an inner transaction that has ended.
    mutating func take(_ inner: NestedChanges) {
        for (key, root) in inner.before { note(key, before: root, planned: inner.planned[key] ?? nil) }
        if let removals = inner.removals { note(removals.planned, before: removals.before) }
    }
}

extension UnitOfWork.State {
    /// Starts a transaction within this unit, or within another nested one.
    ///
    /// - Returns: The number that identifies it in each of its writes.
    mutating func beginNested(in outer: Int?) -> Int {
        lastNested += 1
        nested[lastNested] = NestedChanges(outer: outer)
        return lastNested
    }

    /// Merges the changes of a nested transaction into the enclosing one.
    mutating func endNested(_ number: Int) {
        guard let ended = nested.removeValue(forKey: number), let outer = ended.outer else { return }
        nested[outer]?.take(ended)
    }

    /// Discards the pending changes of a nested transaction. Its reads remain expectations of the unit's commit.
    ///
    /// If another task of the unit has since changed one of these roots, its change may be based on a discarded one.
    /// Then the unit cannot be committed, and the whole transaction is retried.
    mutating func discardNested(_ number: Int) {
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
