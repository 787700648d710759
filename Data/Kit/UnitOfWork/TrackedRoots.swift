internal import LarderDomain

/// The roots that a unit of work touched.
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
    }

    private var roots: [EntityKey: Root] = [:]
    private(set) var keys: [EntityKey] = []

    subscript(key: EntityKey) -> Root? { roots[key] }

    /// Begins to track what was read.
    mutating func begin(_ key: EntityKey, base: StorageObject?) {
        keys.append(key)
        roots[key] = Root(base: base, current: base)
    }

    /// Begins to track what is new, without having looked for it.
    mutating func beginUnseen(_ key: EntityKey, _ object: StorageObject) {
        keys.append(key)
        roots[key] = Root(base: nil, current: object, isBaseKnown: false, isTouched: true)
    }

    /// Says what a tracked root is to be.
    mutating func set(_ key: EntityKey, to object: StorageObject?) {
        roots[key]?.current = object
        roots[key]?.isTouched = true
    }

    /// The version that a root was read at; 1 for what the unit creates.
    func version(of key: EntityKey) -> Int64 { roots[key]?.base?.version ?? 1 }

    /// The roots of a schema that may differ from what the store has.
    func touched(of schema: EntitySchema) -> [(key: EntityKey, root: Root)] {
        keys.compactMap { key in
            guard key.schema.name == schema.name, let root = roots[key], root.isTouched else { return nil }
            return (key, root)
        }
    }

    var changeSet: ChangeSet {
        var changes = ChangeSet()
        for key in keys {
            guard let root = roots[key] else { continue }
            switch (root.base, root.current) {
            // Also where it was created unseen and deleted again: creating it would have failed.
            case (nil, nil): changes.reads.append(RootExpectation(key, version: nil))
            case (nil, let current?): changes.inserts.append(current)
            case (let base?, nil):
                changes.deletes.append(RootExpectation(key, version: base.version, owner: base.owner))
            case (let base?, let current?):
                let difference = root.isTouched ? ObjectChanges(from: base, to: current) : ObjectChanges()
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

    /// What was to be is now what is stored.
    mutating func didCommit(_ receipt: CommitReceipt) {
        for key in keys {
            guard var root = roots[key] else { continue }
            if let version = receipt.versions[key] { root.current?.version = version }
            roots[key] = Root(base: root.current, current: root.current)
        }
    }
}
