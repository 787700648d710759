internal import LarderDomain

/// What the end of some roots makes of all that it concerns, before any of it is planned in the unit: if a rule refuses,
/// nothing has happened.
struct DeletionPlan {
    /// The roots as they are to be, `nil` for those that go.
    private(set) var roots: [EntityKey: StorageObject?] = [:]

    /// A root as it is to be; `nil` if it goes.
    func asPlanned(_ object: StorageObject) -> StorageObject? {
        if let planned = roots[EntityKey(object.schema, object.id)] { planned } else { object }
    }

    /// The roots of a schema that stay, in the order of their ids.
    func staying(of schema: EntitySchema) -> [StorageObject] {
        roots.values.compactMap(\.self).filter { $0.schema.name == schema.name }.sorted { $0.id < $1.id }
    }

    mutating func set(_ key: EntityKey, to object: StorageObject?) { roots.updateValue(object, forKey: key) }
}

extension UnitOfWork {
    /// Adds a root's deletion and everything that follows from it. Circles end where a root is in the plan already.
    func add(_ key: EntityKey, to plan: inout DeletionPlan) async throws(PersistencyError) {
        guard let current = try await read(key.id, of: key.schema), let object = plan.asPlanned(current) else { return }
        plan.set(key, to: nil)
        try await add(object.ownedTargets, to: &plan)
        for reference in store.schemas.references(to: key.schema) {
            let condition = reference.refers(to: key.id)
            let stored = try await read(ReadRequest(reference.root, where: condition)).items
            // Those that the plan has may refer to it since.
            for found in stored + plan.staying(of: reference.root) {
                guard let referrer = plan.asPlanned(found), condition.holds(for: referrer) else { continue }
                try await apply(reference, of: referrer, deleting: key, to: &plan)
            }
        }
    }

    /// Adds the deletion of what an aggregate owned as roots of their own, and owns no more.
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

    private func apply(
        _ reference: IncomingReference, of referrer: StorageObject, deleting target: EntityKey,
        to plan: inout DeletionPlan
    ) async throws(PersistencyError) {
        let key = EntityKey(referrer.schema, referrer.id)
        switch reference.onDelete {
        case .refuse:
            throw .refused(
                by: Refusal(
                    target: target.reference, entity: reference.holder.name, column: reference.memberName,
                    example: referrer.id))
        case .cascade where reference.path.isEmpty: try await add(key, to: &plan)
        case .cascade, .remove:
            var object = referrer
            object.drop(reference.path[...], reference, target: target.id)
            plan.set(key, to: object)
            try await addDropped(from: referrer, to: object, in: &plan)
        }
    }
}

extension IncomingReference {
    /// The condition, over the root, that something in the aggregate refers to a target.
    func refers(to target: RawID) -> Condition {
        let atHolder: Condition =
            switch member {
            case .column(let index): .compare(.column(index), .equal, .literal(.id(target)))
            case .link(let index): .links(relationship: index, id: target)
            }
        return path.reversed().reduce(atHolder) { .anyChild(relationship: $1, $0) }
    }

    func refers(_ holder: StorageObject, to target: RawID) -> Bool {
        switch member {
        case .column(let index): holder.values[index] == .id(target)
        case .link(let index): holder.links[index].contains(target)
        }
    }
}

extension StorageObject {
    /// Takes a target out of the members at the end of a path: owned objects that are to go with it go, references
    /// become `null`, links leave their lists.
    fileprivate mutating func drop(_ path: ArraySlice<Int>, _ reference: IncomingReference, target: RawID) {
        guard let list = path.first else {
            switch reference.member {
            case .column(let index): if values[index] == .id(target) { values[index] = .null }
            case .link(let index): links[index].removeAll { $0 == target }
            }
            return
        }
        if path.count == 1, reference.onDelete == .cascade {
            children[list].removeAll { reference.refers($0, to: target) }
        } else {
            for index in children[list].indices {
                children[list][index].drop(path.dropFirst(), reference, target: target)
            }
        }
    }
}
