internal import LarderDomain

/// The roots that a unit of work has read or written, and the pending reference removals in all other roots.
struct TrackedRoots {
    /// The stored and the pending state of one root.
    struct Root {
        let key: EntityKey
        /// The stored state; `nil` if the root was absent or was not looked up.
        var base: StorageObject?
        /// The pending state; `nil` if the root is absent or deleted.
        var current: StorageObject?
        /// Whether the store was asked for the root. If not, the commit fails when the root exists.
        var isBaseKnown = true
        /// Whether the root was written; a root that was only read need not be compared.
        var isTouched = false

        /// Whether it was read or written; `false` once the transaction that created it has been discarded.
        fileprivate var isTracked: Bool { isBaseKnown || isTouched }
    }

    /// In the order of first use.
    private var roots: [Root] = []
    /// The places in `roots`. `nil` while the ids ascend, as those of new roots do: then no key needs to be hashed.
    private var places: [EntityKey: Int]?
    /// The places of each schema, by its name.
    private var placesOfSchemas: [String: [Int]] = [:]
    /// The versions of roots that were only read, and whose contents were dropped. Such a root is not tracked: it is read
    /// again when it is needed.
    private var versions: [EntityKey: Int64] = [:]
    /// The estimated bytes of the roots that were read since contents were last dropped.
    private var readBytes = 0
    /// The pending removals. They are already applied to the tracked roots, because reads must include them.
    private(set) var removals: [ReferenceRemoval] = []
    private var prepared = PreparedRemovals([])
    /// The removals that may affect untracked roots.
    private(set) var unloaded: [ReferenceRemoval] = []

    subscript(key: EntityKey) -> Root? {
        place(of: key).flatMap { roots[$0].isTracked ? roots[$0] : nil }
    }

    private func place(of key: EntityKey) -> Int? {
        if let places { return places[key] }
        // A new root usually follows the last one.
        var (low, high) = (0, roots.count)
        if high > 0, roots[high - 1].key.id < key.id { low = high }
        while low < high {
            let middle = (low + high) / 2
            if roots[middle].key.id < key.id { low = middle + 1 } else { high = middle }
        }
        return low < roots.count && roots[low].key == key ? low : nil
    }

    /// Reverts the pending changes of a root to an earlier state. A base that was read in the meantime is kept.
    ///
    /// - Parameter root: The earlier state; `nil` if the root was not tracked.
    mutating func restore(_ key: EntityKey, to root: Root?) {
        guard let place = place(of: key) else { return }
        roots[place].current = root.map(\.current) ?? roots[place].base
        roots[place].isTouched = root?.isTouched ?? false
    }

    private var tracked: some Sequence<Root> { roots.lazy.filter(\.isTracked) }

    /// The number of roots that were read or written.
    var count: Int { roots.count + versions.count }

    /// The version of a root that was only read, and whose contents were dropped.
    func versionOfDropped(_ key: EntityKey) -> Int64? { versions.isEmpty ? nil : versions[key] }

    /// Drops the contents of roots that were only read, once they have more bytes than a limit.
    mutating func dropContents(above limit: Int) {
        guard readBytes > limit else { return }
        readBytes = 0
        let all = roots
        (roots, places, placesOfSchemas) = ([], nil, [:])
        for root in all where root.isTracked {
            if !root.isTouched, let base = root.base { versions[root.key] = base.version } else { put(root) }
        }
    }

    /// Tracks a root as read from the store; a `nil` base is an absent root.
    mutating func begin(_ key: EntityKey, base: StorageObject?) {
        if !versions.isEmpty { versions[key] = nil }
        readBytes += base?.memoryByteCount ?? 0
        let changed = base.flatMap { prepared.applied(to: $0)?.pending(after: $0) }
        put(Root(key: key, base: base, current: changed ?? base, isTouched: changed != nil))
    }

    /// Sets the pending state of a root, which may be new and not looked up in the store.
    mutating func set(_ key: EntityKey, to object: consuming StorageObject?) {
        let known = self[key]
        // A new root, of which there may be many, is not copied.
        if let base = known?.base { object = object?.pending(after: base) } else { object?.version = 1 }
        put(
            Root(
                key: key, base: known?.base, current: object, isBaseKnown: known?.isBaseKnown ?? false, isTouched: true)
        )
    }

    private mutating func put(_ root: consuming Root) {
        if let place = place(of: root.key) { return roots[place] = root }
        if places == nil, !roots.isEmpty, roots[roots.count - 1].key.id >= root.key.id {
            places = Dictionary(uniqueKeysWithValues: roots.indices.map { (roots[$0].key, $0) })
        }
        places?[root.key] = roots.count
        placesOfSchemas[root.key.schema.name, default: []].append(roots.count)
        roots.append(root)
    }

    /// The version that a root will have if its pending state remains.
    func version(of key: EntityKey) -> Int64 { self[key]?.current?.version ?? 1 }

    /// The written roots of a schema, which may differ from the stored ones.
    func touched(of schema: EntitySchema) -> [Root] { tracked(of: schema.name).filter(\.isTouched) }

    private func tracked(of schema: String) -> some Sequence<Root> {
        (placesOfSchemas[schema] ?? []).lazy.map { roots[$0] }.filter(\.isTracked)
    }

    var changeSet: ChangeSet {
        var changes = ChangeSet(removals: removals)
        changes.reads = versions.map { RootExpectation($0, version: $1) }.sorted {
            ($0.key.id, $0.key.schema.name) < ($1.key.id, $1.key.schema.name)
        }
        for place in roots.indices where roots[place].isTracked {
            let key = roots[place].key
            switch (roots[place].base, roots[place].current) {
            // Includes a root that was created without a lookup and deleted again: its creation would have failed.
            case (nil, nil): changes.reads.append(RootExpectation(key, version: nil))
            case (nil, let current?): changes.inserts.append(current)
            case (let base?, nil):
                changes.deletes.append(RootExpectation(key, version: base.version, owner: base.owner))
            case (let base?, let current?):
                let isChanged = roots[place].isTouched && prepared.applied(to: base) != current
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

    /// Makes the pending state the stored state.
    mutating func didCommit() {
        for place in roots.indices where roots[place].isTracked {
            let root = roots[place]
            var current = root.current
            current?.version = root.base.map { $0 == root.current ? $0.version : $0.version + 1 } ?? 1
            roots[place] = Root(key: root.key, base: current, current: current)
        }
        (removals, unloaded, prepared) = ([], [], PreparedRemovals([]))
    }
}

extension StorageObject {
    /// The pending state of a root, with the version that it will have if it remains: that of the base if it is the same.
    fileprivate func pending(after base: StorageObject) -> StorageObject {
        var pending = self
        pending.version = base == self ? base.version : base.version + 1
        return pending
    }
}

extension TrackedRoots {
    /// The tracked roots that removals change, in their changed state.
    func changed(by removals: PreparedRemovals) -> [(key: EntityKey, object: StorageObject)] {
        removals.groups.keys.flatMap(tracked).compactMap { root in
            root.current.flatMap(removals.applied).map { (root.key, $0) }
        }
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
        for (place, root) in roots.enumerated() {
            guard let base = root.base, let current = root.current,
                current == base || current == before.applied(to: base)
            else { continue }
            let changed = prepared.applied(to: base)?.pending(after: base)
            roots[place].current = changed ?? base
            roots[place].isTouched = root.isTouched || changed != nil
        }
    }

    /// - Throws: `dangling` for a reference that was written after its target was deleted: the planned removal would
    ///   remove it silently.
    func checkedChangeSet() throws(PersistencyError) -> ChangeSet {
        if !removals.isEmpty, let dangling = tracked.lazy.compactMap(\.current).compactMap(prepared.dangling).first {
            throw .dangling(dangling)
        }
        return changeSet
    }
}
