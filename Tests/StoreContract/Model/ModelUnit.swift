internal import LarderDomain

/// The model: the contents of a library in a dictionary, and the effect of each operation.
///
/// It represents one transaction. An operation outside a transaction is its own transaction.
struct ModelUnit: Sendable {
    /// The stored items at the start.
    let before: [ItemKey: KeptItem]
    /// The current items.
    private(set) var now: [ItemKey: Item]
    /// The duplicate of a created item that existed already. The unit cannot be stored.
    private(set) var clash: Duplicate?
    /// Whether an update by query has changed items: of two with the same values, either is then the existing one.
    private(set) var isSwept = false

    init(_ stored: [ItemKey: KeptItem]) {
        before = stored
        now = stored.mapValues(\.item)
    }

    /// The version that an item will have if it remains: the initial version, or the next one after a change.
    func version(of key: ItemKey) -> Int64 {
        guard let old = before[key] else { return 1 }
        return now[key] == nil || now[key] == old.item ? old.version : old.version + 1
    }

    /// Whether a change may expect a version: none, that of the item, or the initial one.
    private func accepts(_ version: Int64?, of key: ItemKey) -> Bool {
        version == nil || version == self.version(of: key) || version == before[key]?.version
    }

    /// All items, ordered by kind and id.
    var all: [KeptItem] {
        now.values.map { KeptItem($0, version(of: $0.key)) }.sorted {
            let (lhs, rhs) = ($0.item.key, $1.item.key)
            return lhs.kind == rhs.kind ? lhs.number < rhs.number : lhs.kind.rawValue < rhs.kind.rawValue
        }
    }

    func kept(_ key: ItemKey) -> KeptItem? { now[key].map { KeptItem($0, version(of: key)) } }

    mutating func create(_ item: Item) -> Answer {
        if now.updateValue(item, forKey: item.key) != nil {
            clash = Duplicate(entity: item.key.reference.entity, columns: ["id"], existing: item.key.rawID)
        }
        return .stored(KeptItem(item, clash == nil ? version(of: item.key) : 1))
    }

    mutating func save(_ item: Item) -> Answer {
        if now[item.key] != nil { return update(item, expecting: nil) }
        now[item.key] = item
        return .saved(.inserted, KeptItem(item, version(of: item.key)))
    }

    /// Replaces the item with the same key, if there is one.
    mutating func saveByKey(_ item: Item) -> Answer {
        if let twin = twins(of: item).first { return update(item.withID(of: twin), expecting: nil) }
        guard case .stored(let kept) = create(item) else { return save(item) }
        return .saved(.inserted, kept)
    }

    /// The items with the same key; several before a transaction is refused.
    func twins(of item: Item) -> [ItemKey] {
        guard let wanted = item.savingKey else { return [] }
        return now.values.filter { $0.key.kind == item.key.kind && $0.uniques.contains(wanted) }.map(\.key)
    }

    /// Updates by query. Returns the allowed answers.
    mutating func update(_ sweep: Sweep) -> [Answer] {
        let refused = now.values.compactMap { item in
            sweep.invalidField(item).map { Answer.failed(.invalid(entity: item.key.reference.entity, field: $0)) }
        }
        if let answer = refused.first { return [answer] }
        let changed = now.mapValues(sweep.changed)
        let count = changed.count { $0.value != now[$0.key] }
        now = changed
        isSwept = true
        return [.changed(count)]
    }

    mutating func update(_ item: Item, expecting version: Int64?) -> Answer {
        let (key, found) = (item.key, self.version(of: item.key))
        guard let theirs = now[key] else { return .failed(.notFound(key.reference)) }
        guard accepts(version, of: key) else {
            return .failed(
                .conflict(
                    .init(reference: key.reference, expected: version, found: found, mine: item, theirs: theirs)))
        }
        guard item != theirs else { return .saved(.unchanged, KeptItem(item, found)) }
        now[key] = item
        for root in theirs.ownedRoots where !item.ownedRoots.contains(root) { remove(root) }
        return .saved(.updated, KeptItem(item, self.version(of: key)))
    }

    /// If several roots refuse the deletion, several answers are correct.
    mutating func delete(_ key: ItemKey, expecting version: Int64?) -> [Answer] {
        let found = self.version(of: key)
        guard let theirs = now[key] else { return [.failed(.notFound(key.reference))] }
        guard accepts(version, of: key) else {
            return [
                .failed(
                    .conflict(.init(reference: key.reference, expected: version, found: found, theirs: theirs)))
            ]
        }
        let refusals = now.values.compactMap { item in
            item.refusingColumn(deleting: key).map { column in
                Refusal(
                    target: key.reference, entity: item.key.reference.entity, column: column,
                    example: item.key.rawID)
            }
        }
        guard refusals.isEmpty else { return refusals.map { .failed(.refused($0)) } }
        remove(key)
        return [.done]
    }

    private mutating func remove(_ key: ItemKey) {
        guard let item = now.removeValue(forKey: key) else { return }
        for root in item.ownedRoots { remove(root) }
        for other in now.keys {
            guard let old = now[other] else { continue }
            if let new = old.without(key) { now[other] = new } else { remove(other) }
        }
    }
}
