internal import LarderData
internal import LarderDomain

/// One declaration of a schema, as a store records it with its data. Indexes are not recorded, because they do not
/// affect the data.
struct SchemaItem: Hashable, CustomStringConvertible {
    enum Kind: String {
        case entity, column, links, unique
    }

    let entity: String
    let kind: Kind
    let name: String
    /// The properties that affect stored rows, without the default, which is applied once to rows written before.
    let declaration: String
    /// The default of a column, unless it is `null`; not compared.
    var defaultValue: Value?

    static func == (lhs: SchemaItem, rhs: SchemaItem) -> Bool {
        (lhs.entity, lhs.kind, lhs.name, lhs.declaration) == (rhs.entity, rhs.kind, rhs.name, rhs.declaration)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    var description: String { "\(entity): \(kind.rawValue) \(name) \(declaration)" }

    /// Whether it is a column that the schemas do not declare, and that is neither derived nor a reference: the program
    /// would not keep those up to date.
    func isUnknownColumn(to schemas: SchemaSet) -> Bool {
        guard kind == .column, !declaration.contains(" "), let schema = schemas[entity] else { return false }
        return schema.index(ofColumn: name) == nil
    }

    /// Whether it can be added to existing rows together with all other additions.
    func canBeAdded(with added: [SchemaItem], to schemas: SchemaSet) -> Bool {
        guard let schema = schemas[entity] else { return false }
        switch kind {
        case .links: return true
        case .entity: return false
        case .column:
            guard let index = schema.index(ofColumn: name) else { return false }
            let column = schema.columns[index]
            // The derivation of the root computes it from stored values.
            if column.isDerived { return column.reference == nil && schemas.derives(entity) }
            let hasDefault = column.defaultValue != nil && column.defaultValue != .null
            // Every existing row would refer to the same target.
            return hasDefault ? column.reference == nil : column.isNullable
        case .unique:
            // Rows with a null are not compared, so a group with a new, empty column has no duplicates yet. The values
            // of a new derived column are compared once all rows have them.
            return schema.uniques.contains { group in
                let columns = group.map { schema.columns[$0] }
                return schema.name(of: group) == name
                    && columns.contains { column in
                        (column.defaultValue ?? .null) == .null
                            && added.contains { $0.entity == entity && $0.kind == .column && $0.name == column.name }
                    }
            }
        }
    }
}

extension EntitySchema {
    func name(of group: [Int]) -> String { group.map { columns[$0].name }.joined(separator: ", ") }

    /// The items of the schema and of its owned schemas.
    fileprivate func items(owner: String?) -> [SchemaItem] {
        func item(_ kind: SchemaItem.Kind, _ name: String, _ declaration: String = "") -> SchemaItem {
            SchemaItem(entity: self.name, kind: kind, name: name, declaration: declaration)
        }
        let columns = columns.map { column in
            let defaultValue = column.defaultValue == .null ? nil : column.defaultValue
            let reference = column.reference.map { " -> \($0.target), \($0.onDelete)" + ($0.isOwning ? ", owned" : "") }
            let declaration = "\(column.type)" + (column.isNullable ? "?" : "") + (column.isDerived ? " derived" : "")
            var column = item(.column, column.name, declaration + (reference ?? ""))
            column.defaultValue = defaultValue
            return column
        }
        let own = item(.entity, owner.map { "in \($0)" } ?? "root")
        let links = links.map { item(.links, $0.name, "-> \($0.target), \($0.onDelete)") }
        let groups = uniques.map { item(.unique, name(of: $0)) }
        return [own] + columns + links + groups + children.flatMap { $0.schema.items(owner: name) }
    }
}

extension SchemaSet {
    /// The items of all schemas: each root followed by its owned schemas, members in the order of declaration.
    var items: [SchemaItem] { roots.flatMap { $0.items(owner: nil) } }

    /// The items declared since a schema was recorded, if nothing else differs and existing rows permit them. Throws
    /// `incompatible` for any other difference, which requires a migration.
    func additions(to recorded: Set<SchemaItem>) throws(PersistencyError) -> [SchemaItem] {
        let declared = items
        let entities = Set(recorded.map(\.entity))
        for item in recorded.subtracting(declared).sorted(by: { "\($0)" < "\($1)" }) {
            let isKnown = declared.contains { ($0.entity, $0.kind, $0.name) == (item.entity, item.kind, item.name) }
            let why = isKnown ? "is declared differently here" : "is unknown here: a newer program may have made it"
            throw .incompatible("the store has \(item), which \(why)")
        }
        let added = declared.filter { !recorded.contains($0) }
        for item in added where entities.contains(item.entity) && !item.canBeAdded(with: added, to: self) {
            throw .incompatible("\(item) cannot be added without a migration: existing rows have no value for it")
        }
        return added
    }

    /// Whether a derivation computes the derived columns of a schema, root or owned.
    fileprivate func derives(_ entity: String) -> Bool {
        roots.contains { root in root.withDescendants.contains { $0.name == entity } && derivation(of: root) != nil }
    }
}
