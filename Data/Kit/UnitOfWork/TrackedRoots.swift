internal import LarderDomain

/// The roots that a unit of work has read or written, and the pending reference removals in all other roots.
struct TrackedRoots {
    /// The stored and the pending state of one root.
    struct Root {
        /// The stored state; `nil` if the root was absent or was not looked up.
        var base: StorageObject?
        /// The pending state; `nil` if the root is absent or deleted.
        var current: StorageObject?
        /// Whether the store was asked for the root. If not, the commit fails when the root exists.
        var isBaseKnown = true
        /// Whether the root was written; a root that was only read need not be compared.
        var isTouched = false

        /// The version after the commit: a change increments it by one.
        var versionAfterCommit: Int64 {
            guard let base else { return 1 }
            return isTouched && base != current ? base.version + 1 : base.version
        }
    }

    /// In the order of first use. An entry that `places` does not refer to was discarded.
    private var entries: [(key: EntityKey, root: Root)] = []
    private var places: [EntityKey: Int] = [:]
    /// The pending removals. They are already applied to the tracked roots, because reads must include them.
    private(set) var removals: [ReferenceRemoval] = []
    private var prepared = PreparedRemovals([])
    /// The removals that may affect untracked roots.
    private(set) var unloaded: [ReferenceRemoval] = []

    subscript(key: EntityKey) -> Root? { places[key].map { entries[$0].root } }

    /// Reverts the pending changes of a root to an earlier state. A base that was read in the meantime is kept.
    ///
    /// - Parameter root: The earlier state; `nil` if the root was not tracked.
    mutating func restore(_ key: EntityKey, to root: Root?) {
        guard let place = places[key] else { return }
        let known = entries[place].root
        if let root {
            entries[place].root = Root(
                base: known.base, current: root.current, isBaseKnown: known.isBaseKnown, isTouched: root.isTouched)
        } else if known.isBaseKnown {
            entries[place].root = Root(base: known.base, current: known.base)
        } else {
            places[key] = nil
        }
    }

    private var tracked: some Sequence<(key: EntityKey, root: Root)> {
        entries.enumerated().lazy.filter { places[$0.element.key] == $0.offset }.map(\.element)
    }

    /// Tracks a root as read from the store; a `nil` base is an absent root.
    mutating func begin(_ key: EntityKey, base: StorageObject?) {
        let changed = base.flatMap(prepared.applied)
        begin(key, Root(base: base, current: changed ?? base, isTouched: changed != nil))
    }

    /// Tracks a new root without a lookup in the store.
    mutating func beginUnseen(_ key: EntityKey, _ object: StorageObject) {
        begin(key, Root(base: nil, current: object, isBaseKnown: false, isTouched: true))
    }

    private mutating func begin(_ key: EntityKey, _ root: Root) {
        places[key] = entries.count
        entries.append((key, root))
    }

    /// Sets the pending state of a tracked root.
    mutating func set(_ key: EntityKey, to object: StorageObject?) {
        guard let place = places[key] else { return }
        entries[place].root.current = object
        entries[place].root.isTouched = true
    }

    /// The version at which a root was read; 1 for a root that the unit creates.
    func version(of key: EntityKey) -> Int64 { self[key]?.base?.version ?? 1 }

    /// The written roots of a schema, which may differ from the stored ones.
    func touched(of schema: EntitySchema) -> [(key: EntityKey, root: Root)] {
        tracked.filter { $0.root.isTouched && $0.key.schema.name == schema.name }
    }

    var changeSet: ChangeSet {
        var changes = ChangeSet(removals: removals)
        for (key, root) in tracked {
            switch (root.base, root.current) {
            // Includes a root that was created without a lookup and deleted again: its creation would have failed.
            case (nil, nil): changes.reads.append(RootExpectation(key, version: nil))
            case (nil, let current?): changes.inserts.append(current)
            case (let base?, nil):
                changes.deletes.append(RootExpectation(key, version: base.version, owner: base.owner))
            case (let base?, let current?):
                let isChanged = root.isTouched && prepared.applied(to: base) != current
                let difference = isChanged ? ObjectChanges(from: base, to: current) : ObjectChanges()
                if difference.isEmpty {
                    changes.reads.append(RootExpectation(key, version: base.version))
                } else {
                    changes.updates.append(
                        RootUpdate(key, expected: base.version, changes: difference, owner: current.owner))
                }
            }
        }
        return changes
    }

    func versionAfterCommit(of key: EntityKey) -> Int64 { self[key]?.versionAfterCommit ?? 1 }

    /// Makes the pending state the stored state.
    mutating func didCommit() {
        for place in entries.indices {
            var current = entries[place].root.current
            let root = entries[place].root
            if let base = root.base, !root.isTouched, prepared.applied(to: base) != nil {
                current?.version = base.version + 1
            } else {
                current?.version = root.versionAfterCommit
            }
            entries[place].root = Root(base: current, current: current)
        }
        (removals, unloaded, prepared) = ([], [], PreparedRemovals([]))
    }
}

extension TrackedRoots {
    /// The tracked roots that removals change, in their changed state.
    func changed(by removals: PreparedRemovals) -> [(key: EntityKey, object: StorageObject)] {
        tracked.compactMap { entry in entry.root.current.flatMap(removals.applied).map { (entry.key, $0) } }
    }

    /// Adds pending removals. The tracked roots must already be changed.
    mutating func plan(_ added: [ReferenceRemoval]) {
        removals += added
        unloaded += added
        for removal in added { prepared.insert(removal) }
    }

    /// Notes that all roots that a removal affects are tracked.
    mutating func didLoad(_ removal: ReferenceRemoval) { unloaded.removeAll { $0 == removal } }

    /// Replaces a removal by updates of the roots that it affects. All of them must be tracked.
    mutating func resolve(_ removal: ReferenceRemoval) {
        didLoad(removal)
        removals.removeAll { $0 == removal }
        prepared = PreparedRemovals(removals)
    }

    /// Replaces the pending removals, and updates the roots that differ from the stored ones only by removals.
    mutating func replace(_ old: [ReferenceRemoval], by new: [ReferenceRemoval]) {
        let before = PreparedRemovals(old)
        (removals, unloaded, prepared) = (new, new, PreparedRemovals(new))
        for place in entries.indices {
            let root = entries[place].root
            guard let base = root.base, let current = root.current,
                current == base || current == before.applied(to: base)
            else { continue }
            let changed = prepared.applied(to: base)
            entries[place].root.current = changed ?? base
            entries[place].root.isTouched = root.isTouched || changed != nil
        }
    }

    /// A reference that was written after the removal of its target was planned.
    var dangling: Dangling? {
        if removals.isEmpty { return nil }
        return tracked.lazy.compactMap { $0.root.current }.compactMap(prepared.dangling).first
    }
}
