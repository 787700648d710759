internal import LarderData
internal import LarderDomain

/// Makes random objects of ``Press``.
struct RandomPress: Sendable {
    var chance: Chance
    let pools: PressPools
    /// An invalid value is generated with a probability of 1 in this number.
    var faultOdds = 60

    init(seed: UInt64, pools: PressPools) {
        chance = Chance(seed: seed)
        self.pools = pools
    }

    /// A value for a column; `present` contains the existing ids.
    mutating func value(_ column: Column, present: [EntityKey: StorageObject]) -> Value {
        if column.isNullable, chance.happens(oneIn: column.reference == nil ? 4 : 2) { return .null }
        switch column.type {
        case .integer, .timestamp: return .integer(chance.pick(PressPools.integers))
        case .boolean: return .integer(Int64.random(in: 0...1, using: &chance))
        case .day: return .text(chance.pick(PressPools.days))
        case .real: return .real(chance.pick(PressPools.reals))
        case .text where chance.happens(oneIn: 12): return .text("")
        case .text: return .text(chance.pick(chance.happens(oneIn: 24) ? PressPools.longTexts : PressPools.texts))
        case .blob: return .blob(chance.pick(PressPools.blobs))
        case .id:
            let id = column.reference.flatMap { target($0.target, present) }
            return id.map(Value.id) ?? .null
        }
    }

    /// Values for the columns of a schema. For many roots, unique values come from a large set, so that random
    /// duplicates are rare.
    private mutating func values(_ schema: EntitySchema, present: [EntityKey: StorageObject]) -> [Value] {
        schema.columns.indices.map { value(schema, $0, present: present) }
    }

    private mutating func value(_ schema: EntitySchema, _ index: Int, present: [EntityKey: StorageObject]) -> Value {
        let value = value(schema.columns[index], present: present)
        guard pools.isLarge || pools.spread > 0 && chance.happens(oneIn: 2),
            schema.uniques.contains(where: { $0[0] == index })
        else { return value }
        let number = Int.random(in: 0..<pools.spread, using: &chance)
        return switch value {
        case .integer: .integer(Int64(number))
        case .text(let text): .text("\(text)\(number)")
        case .blob(let bytes): .blob(bytes + [UInt8(number >> 16), UInt8(number >> 8 & 255), UInt8(number & 255)])
        default: value
        }
    }

    /// The id of an existing root, rarely of one that may be absent.
    private mutating func target(_ schema: String, _ present: [EntityKey: StorageObject]) -> RawID? {
        guard let pool = pools.roots[schema], let schema = Press.roots.first(where: { $0.name == schema }) else {
            return nil
        }
        if chance.happens(oneIn: faultOdds) { return chance.pick(pool) }
        for _ in 0..<20 {
            let id = chance.pick(pool)
            if present[EntityKey(schema, id)] != nil { return id }
        }
        return nil
    }

    /// The number of elements of a list: few, or rarely more than a batch if requested.
    private mutating func length(_ few: Int, _ many: ClosedRange<Int>) -> Int {
        pools.isLarge && chance.happens(oneIn: 60)
            ? Int.random(in: many, using: &chance) : Int.random(in: 0...few, using: &chance)
    }

    /// An object with random members. Owned objects get free ids, and rarely arbitrary ones.
    mutating func object(
        _ schema: EntitySchema, _ id: RawID, present: [EntityKey: StorageObject], free: inout [String: [RawID]]
    ) -> StorageObject {
        var object = StorageObject(
            schema: schema, id: id, values: values(schema, present: present),
            children: schema.children.map { _ in [] })
        object.links = schema.links.map { link in
            (0..<length(3, 65...150)).compactMap { _ in target(link.target, present) }
        }
        for (list, child) in schema.children.enumerated() {
            for _ in 0..<length(2, 12...30) {
                guard let id = ownedID(child.schema, &free) else { continue }
                object.children[list].append(self.object(child.schema, id, present: present, free: &free))
            }
        }
        return object
    }

    private mutating func ownedID(_ schema: EntitySchema, _ free: inout [String: [RawID]]) -> RawID? {
        if chance.happens(oneIn: faultOdds) { return chance.pick(pools.owned[schema.name] ?? []) }
        guard let left = free[schema.name], !left.isEmpty else { return nil }
        return free[schema.name]?.remove(at: Int.random(in: left.indices, using: &chance))
    }

    /// The object with some members changed, at any depth.
    mutating func changed(
        _ old: StorageObject, present: [EntityKey: StorageObject], free: inout [String: [RawID]]
    ) -> StorageObject {
        var object = old
        for index in object.values.indices where chance.happens(oneIn: 4) {
            object.values[index] = value(object.schema, index, present: present)
        }
        for index in object.links.indices where chance.happens(oneIn: 3) {
            object.links[index].shuffle(using: &chance)
            if chance.happens(oneIn: 2) { object.links[index] = Array(object.links[index].dropFirst()) }
            if let id = target(object.schema.links[index].target, present) { object.links[index].append(id) }
        }
        for index in object.children.indices where chance.happens(oneIn: 2) {
            var list = object.children[index]
            if chance.happens(oneIn: 3), !list.isEmpty { list.remove(at: Int.random(in: list.indices, using: &chance)) }
            for place in list.indices where chance.happens(oneIn: 3) {
                list[place] = changed(list[place], present: present, free: &free)
            }
            if chance.happens(oneIn: 2) { list.shuffle(using: &chance) }
            let schema = object.schema.children[index].schema
            if chance.happens(oneIn: 2), let id = ownedID(schema, &free) {
                let new = self.object(schema, id, present: present, free: &free)
                list.insert(new, at: Int.random(in: 0...list.count, using: &chance))
            }
            object.children[index] = list
        }
        return object
    }
}

extension StorageObject {
    /// The object without references to some roots, at any depth; `nil` if there are none.
    func forgetting(_ targets: Set<RawID>) -> StorageObject? {
        var (object, isChanged) = (self, false)
        for (index, value) in values.enumerated() {
            guard case .id(let id) = value, targets.contains(id) else { continue }
            (object.values[index], isChanged) = (.null, true)
        }
        for (index, ids) in links.enumerated() where ids.contains(where: targets.contains) {
            object.links[index].removeAll(where: targets.contains)
            isChanged = true
        }
        for (list, owned) in children.enumerated() {
            for (place, child) in owned.enumerated() {
                guard let changed = child.forgetting(targets) else { continue }
                (object.children[list][place], isChanged) = (changed, true)
            }
        }
        return isChanged ? object : nil
    }

    /// The ids of the roots that it refers to, at any depth, with repetitions.
    var everythingReferredTo: [RawID] {
        let own = values.compactMap { if case .id(let id) = $0 { id } else { nil } }
        return own + links.joined() + children.joined().flatMap(\.everythingReferredTo)
    }

    /// All owned objects, at any depth.
    var everythingOwned: [StorageObject] { children.joined().flatMap { [$0] + $0.everythingOwned } }
}
