internal import LarderData
internal import LarderDomain

/// Makes objects of ``Press`` at random, from few ids and few values, so that they often meet.
struct RandomPress: Sendable {
    var chance: Chance

    /// Ids that are not in the order of their numbers, with all bits in use.
    private static func ids(_ kind: UInt64, _ count: Int) -> [RawID] {
        var chance = Chance(seed: kind)
        return (0..<count).map { _ in RawID(high: chance.next(), low: chance.next()) }
    }

    static let topics = ids(1, 7), members = ids(2, 6), magazines = ids(3, 8)
    static let owned = ["article": ids(4, 16), "advert": ids(5, 12), "footnote": ids(6, 14), "figure": ids(7, 10)]
    static let pools = ["topic": topics, "member": members, "magazine": magazines]

    /// Of each letter some that differ in case or accents, or begin alike.
    static let texts = [
        "a", "A", "ab", "a b", "\u{E4}", "\u{C4}", "q", "q\u{301}", "", "\r\n", "\n", "ss", "\u{DF}", "%", "_",
    ]
    static let integers: [Int64] = [.min, -1, 0, 1, 2, 3, 7, .max]
    static let reals: [Double] = [-1.5, 0, 0.1, 2, 1e300]
    static let blobs: [[UInt8]] = [[], [0], [0, 0], [1], [1, 2], [255]]

    /// A value for a column; `present` says which ids there are.
    mutating func value(_ column: Column, present: [EntityKey: StorageObject]) -> Value {
        if column.isNullable, chance.happens(oneIn: column.reference == nil ? 4 : 2) { return .null }
        switch column.type {
        case .integer, .boolean, .timestamp: return .integer(chance.pick(Self.integers))
        case .real: return .real(chance.pick(Self.reals))
        case .text, .day: return .text(chance.pick(Self.texts))
        case .blob: return .blob(chance.pick(Self.blobs))
        case .id:
            let id = column.reference.flatMap { target($0.target, present) }
            return id.map(Value.id) ?? (column.isNullable ? .null : .id(chance.pick(Self.members)))
        }
    }

    /// The id of a root that is there; rarely of one that may not be.
    private mutating func target(_ schema: String, _ present: [EntityKey: StorageObject]) -> RawID? {
        let pool = Self.pools[schema] ?? []
        if chance.happens(oneIn: 60) { return chance.pick(pool) }
        let there = pool.filter { id in present.keys.contains { $0.id == id && $0.schema.name == schema } }
        return there.isEmpty ? nil : chance.pick(there)
    }

    /// An object with random members; owned objects get ids that are free, and rarely any.
    mutating func object(
        _ schema: EntitySchema, _ id: RawID, present: [EntityKey: StorageObject], free: inout [String: [RawID]]
    ) -> StorageObject {
        var object = StorageObject(
            schema: schema, id: id, values: schema.columns.map { value($0, present: present) },
            children: schema.children.map { _ in [] })
        object.links = schema.links.map { link in
            (0..<Int.random(in: 0...3, using: &chance)).compactMap { _ in target(link.target, present) }
        }
        for (list, child) in schema.children.enumerated() {
            for _ in 0..<Int.random(in: 0...2, using: &chance) {
                guard let id = ownedID(child.schema, &free) else { continue }
                object.children[list].append(self.object(child.schema, id, present: present, free: &free))
            }
        }
        return object
    }

    private mutating func ownedID(_ schema: EntitySchema, _ free: inout [String: [RawID]]) -> RawID? {
        if chance.happens(oneIn: 60) { return chance.pick(Self.owned[schema.name] ?? []) }
        guard let left = free[schema.name], !left.isEmpty else { return nil }
        return free[schema.name]?.remove(at: Int.random(in: left.indices, using: &chance))
    }

    /// The object with some of its members changed, at any depth.
    mutating func changed(
        _ old: StorageObject, present: [EntityKey: StorageObject], free: inout [String: [RawID]]
    ) -> StorageObject {
        var object = old
        for index in object.values.indices where chance.happens(oneIn: 4) {
            object.values[index] = value(object.schema.columns[index], present: present)
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
    /// The object without anything that refers to a root, at any depth.
    func forgetting(_ target: EntityKey) -> StorageObject {
        var object = self
        for (index, column) in schema.columns.enumerated()
        where column.reference?.target == target.schema.name && values[index] == .id(target.id) {
            object.values[index] = .null
        }
        for (index, link) in schema.links.enumerated() where link.target == target.schema.name {
            object.links[index].removeAll { $0 == target.id }
        }
        object.children = children.map { $0.map { $0.forgetting(target) } }
        return object
    }

    /// Everything that it owns, at any depth.
    var everythingOwned: [StorageObject] { children.joined().flatMap { [$0] + $0.everythingOwned } }
}
