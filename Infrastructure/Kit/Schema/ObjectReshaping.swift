package import LarderData

/// Converts objects of one schema to another one, by the names of members. Versions do not change.
package final class ObjectReshaping: Sendable {
    /// The new schema.
    package let schema: EntitySchema
    /// The values of a new object: defaults, or `null`.
    let defaults: [Value]
    /// The old index of each column.
    private let columns: [Int?]
    private let links: [Int?]
    private let children: [(index: Int, reshaping: ObjectReshaping)?]
    /// The lists of owned objects and of links that both schemas have, as pairs of old and new indexes.
    package let commonLists: (children: [(old: Int, new: Int)], links: [(old: Int, new: Int)])
    /// Whether objects stay as they are.
    private let isIdentity: Bool
    /// The old indexes of columns that the new schema does not have. Their values follow those of the schema.
    private let further: [Int]

    /// - Parameters:
    ///   - names: The names before the renames, if any.
    ///   - further: Columns that are kept although the new schema does not have them.
    ///   - keepsOwned: Whether owned objects may keep the old schema if it is equal to the new one.
    init(
        from old: EntitySchema, to new: EntitySchema, names: FormerNames = FormerNames(),
        further: FurtherColumns = FurtherColumns(), keepsOwned: Bool = false
    ) {
        schema = new
        columns = new.columns.map { old.index(ofColumn: names.member($0.name, of: new.name)) }
        links = new.links.map { link in
            let name = names.member(link.name, of: new.name)
            return old.links.firstIndex { $0.name == name }
        }
        children = new.children.map { child in
            let name = names.entity(child.schema.name)
            guard let index = old.children.firstIndex(where: { $0.schema.name == name }) else { return nil }
            let reshaping = ObjectReshaping(
                from: old.children[index].schema, to: child.schema, names: names, further: further,
                keepsOwned: keepsOwned)
            return (index, reshaping)
        }
        commonLists = (
            children.enumerated().compactMap { new, child in child.map { ($0.index, new) } },
            links.enumerated().compactMap { new, old in old.map { ($0, new) } }
        )
        self.further = further.items.filter { $0.entity == new.name }.compactMap { old.index(ofColumn: $0.name) }
        defaults = new.columns.map { $0.defaultValue ?? .null }
        isIdentity =
            keepsOwned && old == new && columns == new.columns.indices.map(Optional.some)
            && links == new.links.indices.map(Optional.some)
            && children.elementsEqual(new.children.indices) { $0?.index == $1 && $0?.reshaping.isIdentity == true }
    }

    package func reshaped(_ object: StorageObject) -> StorageObject {
        var values = defaults
        for (index, old) in columns.enumerated() {
            if let old { values[index] = object.values[old] }
        }
        for old in further { values.append(object.values[old]) }
        return StorageObject(
            schema: schema, id: object.id, version: object.version, values: values,
            children: children.map { child in
                child.map { child in child.reshaping.reshaped(object.children[child.index]) } ?? []
            }, links: links.map { $0.map { object.links[$0] } ?? [] })
    }

    /// A list of owned objects. One that stays as it is shares its memory, so comparing both takes no time.
    private func reshaped(_ list: [StorageObject]) -> [StorageObject] { isIdentity ? list : list.map(reshaped) }
}

/// The names before some renames.
struct FormerNames: Sendable {
    private var entities: [String: String] = [:]
    private var members: [String: [String: String]] = [:]

    /// No renames.
    init() {}

    init(_ actions: [SchemaAction]) {
        for action in actions {
            switch action {
            case .renameEntity(let old, let new):
                entities[new] = entity(old)
                members[new] = members.removeValue(forKey: old)
            case .renameMember(let item, let new):
                members[item.entity, default: [:]][new] = member(item.name, of: item.entity)
            case .drop(let item) where item.kind == .column || item.kind == .links:
                forget(item.name, of: item.entity)
            default: continue
            }
        }
    }

    /// Notes that a member was removed: one that is added later under this name is another one.
    mutating func forget(_ member: String, of entity: String) { members[entity, default: [:]][member] = "" }

    func entity(_ name: String) -> String { entities[name] ?? name }

    func member(_ name: String, of entity: String) -> String { members[entity]?[name] ?? name }
}
