internal import LarderData
internal import LarderDomain

/// Makes change sets over ``Press`` at random: about half of them have a fault.
struct RandomChangeSets: Sendable {
    private var press: RandomPress

    init(seed: UInt64) { press = RandomPress(chance: Chance(seed: seed)) }

    /// The next one for a state.
    mutating func next(for state: ReferenceState) -> ChangeSet {
        var plan = Plan(state)
        for _ in 0..<Int.random(in: 1...4, using: &press.chance) {
            switch Int.random(in: 0..<10, using: &press.chance) {
            case 0...3: write(&plan)
            case 4: delete(&plan, cleanly: true)
            case 5: delete(&plan, cleanly: press.chance.happens(oneIn: 2))
            case 6: exchange(&plan)
            case 7, 8: move(&plan)
            default: plan.reads.insert(anyKey())
            }
        }
        return changeSet(plan)
    }

    /// What is to become of some roots.
    private struct Plan {
        let old: [EntityKey: StorageObject]
        var new: [EntityKey: StorageObject]
        var touched: [EntityKey] = []
        var reads: Set<EntityKey> = []
        /// Ids that no owned object has.
        var free: [String: [RawID]]

        init(_ state: ReferenceState) {
            (old, new) = (state.roots, state.roots)
            let used = Set(state.roots.values.flatMap(\.everythingOwned).map(\.id))
            free = RandomPress.owned.mapValues { $0.filter { !used.contains($0) } }
        }

        mutating func set(_ key: EntityKey, _ object: StorageObject?) {
            if !touched.contains(key) { touched.append(key) }
            new[key] = object
        }
    }

    private mutating func anyKey() -> EntityKey {
        let schema = press.chance.pick([Press.topic, Press.member] + Array(repeating: Press.magazine, count: 3))
        return EntityKey(schema, press.chance.pick(RandomPress.pools[schema.name] ?? []))
    }

    /// A root that is there, in an order that does not depend on hashing.
    private mutating func anyRoot(_ plan: Plan, of schema: EntitySchema? = nil) -> StorageObject? {
        let there = plan.new.values.filter { schema == nil || $0.schema.name == schema?.name }
        return there.isEmpty ? nil : press.chance.pick(there.sorted { $0.id < $1.id })
    }

    private mutating func write(_ plan: inout Plan) {
        let key = anyKey()
        let object =
            plan.new[key].map { press.changed($0, present: plan.new, free: &plan.free) }
            ?? press.object(key.schema, key.id, present: plan.new, free: &plan.free)
        plan.set(key, object)
    }

    /// Deletes a root, with everything that refers to it set right or not.
    private mutating func delete(_ plan: inout Plan, cleanly: Bool) {
        guard let target = anyRoot(plan) else { return }
        plan.set(target.key, nil)
        guard cleanly else { return }
        for object in plan.new.values.sorted(by: { $0.id < $1.id }) {
            let changed = object.forgetting(target.key)
            if changed != object { plan.set(object.key, changed) }
        }
    }

    /// Exchanges a value that is unique between two roots.
    private mutating func exchange(_ plan: inout Plan) {
        guard let one = anyRoot(plan), let other = anyRoot(plan, of: one.schema), one.id != other.id else { return }
        let group = press.chance.pick(one.schema.uniques)
        var (first, second) = (one, other)
        for column in group {
            (first.values[column], second.values[column]) = (other.values[column], one.values[column])
        }
        plan.set(one.key, first)
        plan.set(other.key, second)
    }

    /// Moves an owned object, changed, to another list: of another root, or of a sibling.
    private mutating func move(_ plan: inout Plan) {
        guard let from = anyRoot(plan, of: Press.magazine), let to = anyRoot(plan, of: Press.magazine) else { return }
        var (source, target) = (from, to)
        if from.id == to.id {
            guard source.children[0].count > 1 else { return }
            // A nested object goes from the first article to the last.
            let list = Int.random(in: 0...1, using: &press.chance)
            guard let moved = source.children[0][0].children[list].popLast() else { return }
            let last = source.children[0].count - 1
            source.children[0][last].children[list].insert(
                press.changed(moved, present: plan.new, free: &plan.free), at: 0)
            plan.set(from.key, source)
        } else {
            let list = Int.random(in: 0...1, using: &press.chance)
            guard let moved = source.children[list].popLast() else { return }
            target.children[list].insert(press.changed(moved, present: plan.new, free: &plan.free), at: 0)
            plan.set(from.key, source)
            plan.set(to.key, target)
        }
    }

    private mutating func changeSet(_ plan: Plan) -> ChangeSet {
        var changes = ChangeSet()
        func owner(_ object: StorageObject) -> RawID? { object.owner }
        for key in plan.touched {
            let stale: Int64 = press.chance.happens(oneIn: 60) ? 1 : 0
            switch (plan.old[key], plan.new[key]) {
            case (nil, nil): changes.reads.append(RootExpectation(key, version: nil))
            case (nil, let new?): changes.inserts.append(new)
            case (let old?, nil):
                changes.deletes.append(RootExpectation(key, version: old.version + stale, owner: owner(old)))
            case (let old?, let new?):
                // Rarely as if it were new.
                if press.chance.happens(oneIn: 60) {
                    changes.inserts.append(new)
                    continue
                }
                let difference = ObjectChanges(from: old, to: new)
                changes.updates.append(
                    RootUpdate(key, expected: old.version + stale, changes: difference, owner: owner(new)))
            }
        }
        for key in plan.reads.sorted(by: { $0.id < $1.id }) where !plan.touched.contains(key) {
            let found = plan.old[key]?.version
            let isStale = press.chance.happens(oneIn: 20)
            changes.reads.append(RootExpectation(key, version: isStale ? (found ?? 0) + 1 : found))
        }
        changes.inserts.shuffle(using: &press.chance)
        changes.updates.shuffle(using: &press.chance)
        return changes
    }
}
