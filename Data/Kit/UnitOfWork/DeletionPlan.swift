package import LarderDomain

/// The cascading effects of a delete, computed before the unit changes: a delete that a rule refuses changes nothing.
struct DeletionPlan {
    /// The pending states of the roots; `nil` for deleted ones.
    private(set) var roots: [EntityKey: StorageObject?] = [:]
    /// The references removed from roots of the unit.
    private(set) var unlinked: [ReferenceRemoval] = []
    /// The subset of ``unlinked`` that stored roots outside the unit have too.
    private(set) var removals: [ReferenceRemoval] = []

    /// The pending state of a root; `nil` if it is deleted.
    func asPlanned(_ object: StorageObject) -> StorageObject? {
        if let planned = roots[object.key] { planned } else { object }
    }

    /// The planned roots of a schema that are not deleted, in the order of their ids.
    func staying(of schema: EntitySchema) -> [StorageObject] {
        roots.values.compactMap(\.self).filter { $0.schema.name == schema.name }.sorted { $0.id < $1.id }
    }

    mutating func set(_ key: EntityKey, to object: StorageObject?) { roots.updateValue(object, forKey: key) }

    /// - Parameter isStored: Whether a stored root that the unit does not change has the reference.
    mutating func remove(_ removal: ReferenceRemoval, isStored: Bool) {
        unlinked.append(removal)
        if isStored { removals.append(removal) }
    }
}

extension UnitOfWork {
    /// Adds the deletion of a root and its effects. A cycle ends at a root that the plan already deletes.
    func add(_ key: EntityKey, to plan: inout DeletionPlan) async throws(PersistencyError) {
        guard let current = try await read(key.id, of: key.schema), let object = plan.asPlanned(current) else { return }
        plan.set(key, to: nil)
        try await add(object.ownedTargets, to: &plan)
        for reference in store.schemas.references(to: key.schema) {
            switch reference.onDelete {
            case .refuse: try await checkUnreferenced(key, by: reference, in: plan)
            case .remove:
                // One removal for any number of referrers; none without a referrer, because observers see it.
                let isStored = try await storedReferrer(to: key, reference, in: plan) != nil
                plan.remove(ReferenceRemoval(of: key.id, from: reference), isStored: isStored)
            case .cascade:
                let request = ReadRequest(reference.root, where: reference.refers(to: key.id))
                let stored = try await page(request).items
                // A planned root may have gained a reference to this one.
                for found in stored + plan.staying(of: reference.root) {
                    guard let referrer = plan.asPlanned(found), reference.refers(referrer, to: [key.id]) else {
                        continue
                    }
                    try await cascade(from: key, to: referrer, reference, &plan)
                }
            }
        }
    }

    /// Adds the deletion of the roots that the old aggregate owns and the new one does not.
    func addDropped(
        from old: StorageObject, to new: StorageObject, in plan: inout DeletionPlan
    ) async throws(PersistencyError) {
        let kept = Set(new.ownedTargets)
        try await add(old.ownedTargets.filter { !kept.contains($0) }, to: &plan)
    }

    private func add(_ targets: [EntityReference], to plan: inout DeletionPlan) async throws(PersistencyError) {
        for target in targets {
            guard let schema = store.schemas[target.entity] else { continue }
            try await add(EntityKey(schema, target.id), to: &plan)
        }
    }

    private func cascade(
        from target: EntityKey, to referrer: StorageObject, _ reference: IncomingReference, _ plan: inout DeletionPlan
    ) async throws(PersistencyError) {
        let key = referrer.key
        if reference.path.isEmpty { return try await add(key, to: &plan) }
        var object = referrer
        reference.removeHolders(from: &object, referringTo: target.id)
        plan.set(key, to: object)
        try await addDropped(from: referrer, to: object, in: &plan)
    }

    /// - Throws: `refused`, with the referring root that has the lowest id.
    private func checkUnreferenced(
        _ target: EntityKey, by reference: IncomingReference, in plan: DeletionPlan
    ) async throws(PersistencyError) {
        let touched = tracked.touched(of: reference.root).compactMap(\.current).compactMap(plan.asPlanned)
        var referrers = (touched + plan.staying(of: reference.root)).filter { reference.refers($0, to: [target.id]) }
        if let stored = try await storedReferrer(to: target, reference, in: plan) {
            // The refusal depends on this root, so the commit must check its version.
            try whileOpen { (state) throws(PersistencyError) in try state.track(stored.key, stored) }
            referrers.append(stored)
        }
        guard let example = referrers.map(\.id).min() else { return }
        throw .refused(
            by: Refusal(
                target: target.reference, entity: reference.holder.name, column: reference.memberName, example: example)
        )
    }

    /// The first stored root that refers to a target, except for roots that the unit or the plan changes.
    private func storedReferrer(
        to target: EntityKey, _ reference: IncomingReference, in plan: DeletionPlan
    ) async throws(PersistencyError) -> StorageObject? {
        let condition = reference.refers(to: target.id)
        // Usually, the first referrer is one that the unit does not change. Otherwise, ever more are read.
        var limit = 1
        while true {
            let found = try await store.read(ReadRequest(reference.root, where: condition, limit: limit)).items
            let other = try whileOpen { state in
                found.first { state.tracked[$0.key]?.isTouched != true && plan.roots[$0.key] == nil }
            }
            if other != nil || found.count < limit { return other }
            limit *= 8
        }
    }
}

extension IncomingReference {
    /// The condition that a root's aggregate contains a reference to a target.
    package func refers(to target: RawID) -> Condition {
        let atHolder: Condition =
            switch member {
            case .column(let index): .compare(.column(index), .equal, .literal(.id(target)))
            case .link(let index): .links(relationship: index, id: target)
            }
        return path.reversed().reduce(atHolder) { .anyChild(relationship: $1, $0) }
    }
}
