internal import LarderDomain

/// The roots that a unit of work touched, and the references that all other roots lose with its commit.
struct TrackedRoots {
    /// One root: as it was read, and as it is to be.
    struct Root {
        /// As the store had it; `nil` when it was not there, or when nobody looked.
        var base: StorageObject?
        /// As it is to be; `nil` when it is to be absent.
        var current: StorageObject?
        /// Whether it was created without a look at the store, which then says whether it was there.
        var isBaseKnown = true
        /// Whether anything wrote to it; a root that was only read need not be compared.
        var isTouched = false

        /// Its version after the commit: a change raises it by one.
        var versionAfterCommit: Int64 {
            guard let base else { return 1 }
            return isTouched && base != current ? base.version + 1 : base.version
        }
    }

    /// In the order of touching. An entry without a place was discarded.
    private var entries: [(key: EntityKey, root: Root)] = []
    private var places: [EntityKey: Int] = [:]
    /// The planned removals. A root that is tracked has lost the references, because reads show it.
    private(set) var removals: [ReferenceRemoval] = []
    private var prepared = PreparedRemovals([])
    /// The removals that may affect roots which are not tracked.
    private(set) var unloaded: [ReferenceRemoval] = []

    subscript(key: EntityKey) -> Root? { places[key].map { entries[$0].root } }

    /// Takes back what was planned for a root since it was as given. A base that was read meanwhile stays.
    ///
    /// - Parameter root: `nil` if the root was not tracked then.
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

    /// Begins to track what was read.
    mutating func begin(_ key: EntityKey, base: StorageObject?) {
        let changed = base.flatMap(prepared.applied)
        begin(key, Root(base: base, current: changed ?? base, isTouched: changed != nil))
    }

    /// Begins to track what is new, without having looked for it.
    mutating func beginUnseen(_ key: EntityKey, _ object: StorageObject) {
        begin(key, Root(base: nil, current: object, isBaseKnown: false, isTouched: true))
    }

    private mutating func begin(_ key: EntityKey, _ root: Root) {
        places[key] = entries.count
        entries.append((key, root))
    }

    /// Says what a tracked root is to be.
    mutating func set(_ key: EntityKey, to object: StorageObject?) {
        guard let place = places[key] else { return }
        entries[place].root.current = object
        entries[place].root.isTouched = true
    }

    /// The version that a root was read at; 1 for what the unit creates.
    func version(of key: EntityKey) -> Int64 { self[key]?.base?.version ?? 1 }

    /// The roots of a schema that may differ from what the store has.
    func touched(of schema: EntitySchema) -> [(key: EntityKey, root: Root)] {
        tracked.filter { $0.root.isTouched && $0.key.schema.name == schema.name }
    }

    var changeSet: ChangeSet {
        var changes = ChangeSet(removals: removals)
        for (key, root) in tracked {
            switch (root.base, root.current) {
            // Also where it was created unseen and deleted again: creating it would have failed.
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

    /// The version of a root after its changes were stored.
    func versionAfterCommit(of key: EntityKey) -> Int64 { self[key]?.versionAfterCommit ?? 1 }

    /// The planned state is now the stored state.
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
    /// The roots from which removals take something, without it.
    func changed(by removals: PreparedRemovals) -> [(key: EntityKey, object: StorageObject)] {
        tracked.compactMap { entry in entry.root.current.flatMap(removals.applied).map { (entry.key, $0) } }
    }

    /// Plans removals. The roots that are tracked must have been changed already.
    mutating func plan(_ added: [ReferenceRemoval]) {
        removals += added
        unloaded += added
        for removal in added { prepared.insert(removal) }
    }

    /// All roots that a removal affects are tracked now.
    mutating func didLoad(_ removal: ReferenceRemoval) { unloaded.removeAll { $0 == removal } }

    /// Takes the place of a removal: the roots that it affects, all of which are tracked, are updated one by one.
    mutating func resolve(_ removal: ReferenceRemoval) {
        didLoad(removal)
        removals.removeAll { $0 == removal }
        prepared = PreparedRemovals(removals)
    }

    /// Plans other removals than before. Roots that differ from the stored ones by removals alone follow.
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

    /// A reference that a root has although a removal is planned for it: it was written after the removal.
    var dangling: Dangling? {
        if removals.isEmpty { return nil }
        return tracked.lazy.compactMap { $0.root.current }.compactMap(prepared.dangling).first
    }
}
