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
