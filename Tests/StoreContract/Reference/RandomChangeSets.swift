internal import LarderData
internal import LarderDomain

/// Makes random change sets over ``Press``; about half of them have a fault.
struct RandomChangeSets: Sendable {
    private var press: RandomPress

    init(seed: UInt64, pools: PressPools = .small) { press = RandomPress(seed: seed, pools: pools) }

    /// The next change set for a state. The first one fills the store, unless few roots are requested.
    mutating func next(for state: ReferenceState) -> ChangeSet {
        var plan = Plan(state, press.pools)
        if press.pools.spread > 0, state.roots.isEmpty {
            press.faultOdds = .max
            fill(&plan)
            return changeSet(plan)
        }
        let counts = press.pools.isLarge && !press.chance.happens(oneIn: 4) ? 60...200 : 1...4
        let steps = Int.random(in: counts, using: &press.chance)
        press.faultOdds = 60 * max(1, steps / 2)
        // Most large change sets consist of one kind of step.
        let kind = Int.random(in: 0..<10, using: &press.chance)
        for _ in 0..<steps {
            let other = Int.random(in: 0..<10, using: &press.chance)
            step(steps > 4 && !press.chance.happens(oneIn: 8) ? kind : other, &plan)
        }
        plan.forgetDeleted()
        if press.chance.happens(oneIn: press.pools.isLarge ? 2 : 3) { spoil(&plan) }
        return changeSet(plan)
    }

    private mutating func step(_ kind: Int, _ plan: inout Plan) {
        switch kind {
        case 0...3: write(&plan)
        case 4, 5: delete(&plan)
        case 6: exchange(&plan)
        case 7, 8: move(&plan)
        default: plan.reads.insert(anyKey())
        }
    }

    /// The planned change of each root.
    private struct Plan {
        let old: [EntityKey: StorageObject]
        var new: [EntityKey: StorageObject]
        private(set) var touched: [EntityKey] = []
        private(set) var isTouched: Set<EntityKey> = []
        var reads: Set<EntityKey> = []
        /// Absent roots that are changed or deleted nevertheless.
        var absent: [EntityKey] = []
        /// Ids without an owned object.
        var free: [String: [RawID]]

        init(_ state: ReferenceState, _ pools: PressPools) {
            (old, new) = (state.roots, state.roots)
            let used = Set(state.roots.values.flatMap(\.everythingOwned).map(\.id))
            free = pools.owned.mapValues { $0.filter { !used.contains($0) } }
        }

        mutating func set(_ key: EntityKey, _ object: StorageObject?) {
            if isTouched.insert(key).inserted { touched.append(key) }
            new[key] = object
        }

        /// All roots, in an order independent of hashing.
        var roots: [StorageObject] { new.values.sorted { $0.id < $1.id } }

        /// Removes the references to deleted roots.
        mutating func forgetDeleted() {
            let deleted = Set(touched.filter { new[$0] == nil }.map(\.id))
            guard !deleted.isEmpty else { return }
            for object in roots {
                if let changed = object.forgetting(deleted) { set(object.key, changed) }
            }
        }
    }

    /// Uses four fifths of all ids, as far as unique values permit.
    private mutating func fill(_ plan: inout Plan) {
        for schema in Press.roots {
            var taken: Set<[Value]> = []
            for id in press.pools.roots[schema.name] ?? [] where !press.chance.happens(oneIn: 5) {
                var free = plan.free
                let object = press.object(schema, id, present: plan.new, free: &free)
                let groups = schema.uniques.enumerated().map { number, group in
                    [.integer(Int64(number))] + group.map { object.values[$0] }
                }
                guard taken.isDisjoint(with: groups) else { continue }
                taken.formUnion(groups.filter { !$0.contains(.null) })
                plan.free = free
                plan.set(object.key, object)
            }
        }
    }

    private mutating func anyKey() -> EntityKey {
        anyKey(
            of: press.chance.pick([Press.topic, Press.member, Press.seat] + Array(repeating: Press.magazine, count: 3)))
    }

    private mutating func anyKey(of schema: EntitySchema) -> EntityKey {
        EntityKey(schema, press.chance.pick(press.pools.roots[schema.name] ?? []))
    }

    /// A stored root.
    private mutating func anyRoot(_ plan: Plan, of schema: EntitySchema? = nil) -> StorageObject? {
        for _ in 0..<20 {
            if let object = plan.new[schema.map { anyKey(of: $0) } ?? anyKey()] { return object }
        }
        return nil
    }

    private mutating func write(_ plan: inout Plan) {
        let key = anyKey()
        let object =
            plan.new[key].map { press.changed($0, present: plan.new, free: &plan.free) }
            ?? press.object(key.schema, key.id, present: plan.new, free: &plan.free)
        plan.set(key, object)
    }

    private mutating func delete(_ plan: inout Plan) {
        if let target = anyRoot(plan) { plan.set(target.key, nil) }
    }

    /// Exchanges a unique value between two roots.
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

    /// Moves an owned object to another list: of another root, or of a sibling.
    private mutating func move(_ plan: inout Plan) {
        guard var source = anyRoot(plan, of: Press.magazine), let to = anyRoot(plan, of: Press.magazine) else { return }
        let list = Int.random(in: 0...1, using: &press.chance)
        guard source.id == to.id || press.chance.happens(oneIn: 2) else {
            guard let moved = source.children[list].popLast() else { return }
            plan.set(source.key, source)
            var target = to
            target.children[list].insert(changedOrNot(moved, &plan), at: 0)
            return plan.set(target.key, target)
        }
        // A nested object moves from the first article to the last article of the other root.
        guard let moved = source.children[0].first?.children[list].last else { return }
        source.children[0][0].children[list].removeLast()
        // The remaining objects are deleted with their owner, or stay.
        if press.chance.happens(oneIn: 3) { source.children[0].removeFirst() }
        plan.set(source.key, source)
        guard var target = plan.new[to.key], let last = target.children[0].indices.last else { return }
        target.children[0][last].children[list].insert(changedOrNot(moved, &plan), at: 0)
        plan.set(target.key, target)
    }

    private mutating func changedOrNot(_ object: StorageObject, _ plan: inout Plan) -> StorageObject {
        press.chance.happens(oneIn: 2) ? object : press.changed(object, present: plan.new, free: &plan.free)
    }

    /// Adds a deliberate fault of a kind that is rare at random.
    private mutating func spoil(_ plan: inout Plan) {
        switch Int.random(in: 0..<4, using: &press.chance) {
        case 0: copy(&plan)
        case 1:
            let key = anyKey()
            guard plan.new[key] == nil, !plan.isTouched.contains(key) else { return }
            plan.reads.remove(key)
            plan.absent.append(key)
        default: deleteReferredTo(&plan)
        }
    }

    /// Gives a root the values of another root's unique group.
    private mutating func copy(_ plan: inout Plan) {
        guard let one = anyRoot(plan) else { return }
        let key = anyKey(of: one.schema)
        guard key.id != one.id else { return }
        var other = plan.new[key] ?? press.object(key.schema, key.id, present: plan.new, free: &plan.free)
        for column in press.chance.pick(one.schema.uniques) { other.values[column] = one.values[column] }
        plan.set(key, other)
        // The values may be new to both.
        guard press.chance.happens(oneIn: 2) else { return }
        let changed = press.changed(one, present: plan.new, free: &plan.free)
        for column in one.schema.uniques.joined() { other.values[column] = changed.values[column] }
        plan.set(one.key, changed)
        plan.set(key, other)
    }

    /// Deletes a root with the fewest references to it, or up to two more.
    private mutating func deleteReferredTo(_ plan: inout Plan) {
        let roots = plan.roots
        let counts = roots.flatMap(\.everythingReferredTo).reduce(into: [RawID: Int]()) { $0[$1, default: 0] += 1 }
        guard let fewest = roots.compactMap({ counts[$0.id] }).min() else { return }
        let most = press.chance.happens(oneIn: 2) ? fewest : fewest + 2
        plan.set(press.chance.pick(roots.filter { (1...most).contains(counts[$0.id] ?? 0) }).key, nil)
    }

    /// Targets are deleted roots and others; sources are some of the existing references.
    private mutating func removals(besides deletes: [RootExpectation]) -> [ReferenceRemoval] {
        guard press.chance.happens(oneIn: 3) else { return [] }
        let references = Press.roots.flatMap(\.references)
        var targets = deletes.map(\.key)
        if press.chance.happens(oneIn: 2) { targets.append(anyKey()) }
        var removals: [ReferenceRemoval] = []
        for target in targets {
            for reference in references where reference.target == target.schema.name {
                guard !press.chance.happens(oneIn: 8) else { continue }
                removals.append(ReferenceRemoval(of: target.id, from: reference))
            }
        }
        return removals
    }

    private mutating func changeSet(_ plan: Plan) -> ChangeSet {
        var changes = ChangeSet()
        func owner(_ object: StorageObject) -> RawID? { object.owner }
        for key in plan.touched {
            let stale: Int64 = press.chance.happens(oneIn: press.faultOdds) ? 1 : 0
            switch (plan.old[key], plan.new[key]) {
            case (nil, nil): changes.reads.append(RootExpectation(key, version: nil))
            case (nil, let new?): changes.inserts.append(new)
            case (let old?, nil):
                changes.deletes.append(RootExpectation(key, version: old.version + stale, owner: owner(old)))
            case (let old?, let new?):
                // Rarely treated as new.
                if press.chance.happens(oneIn: press.faultOdds) {
                    changes.inserts.append(new)
                    continue
                }
                let difference = ObjectChanges(from: old, to: new)
                changes.updates.append(
                    RootUpdate(key, expected: old.version + stale, changes: difference, owner: owner(new)))
            }
        }
        for key in plan.reads.sorted(by: { $0.id < $1.id }) where !plan.isTouched.contains(key) {
            let found = plan.old[key]?.version
            let isStale = press.chance.happens(oneIn: press.faultOdds / 3)
            changes.reads.append(RootExpectation(key, version: isStale ? (found ?? 0) + 1 : found))
        }
        for key in plan.absent {
            let version = Int64.random(in: 0...2, using: &press.chance)
            var free = plan.free
            let object = press.object(key.schema, key.id, present: plan.new, free: &free)
            switch Int.random(in: 0..<4, using: &press.chance) {
            case 0: changes.reads.append(RootExpectation(key, version: version))
            case 1:
                let changed = press.changed(object, present: plan.new, free: &free)
                changes.updates.append(object.update(to: changed, expecting: version))
            default: changes.deletes.append(RootExpectation(key, version: version, owner: owner(object)))
            }
        }
        changes.removals = removals(besides: changes.deletes)
        changes.inserts.shuffle(using: &press.chance)
        changes.updates.shuffle(using: &press.chance)
        changes.deletes.shuffle(using: &press.chance)
        return changes
    }
}
