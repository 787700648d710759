internal import LarderData
internal import LarderDomain

/// One declaration of a schema, as a store records it with its data.
struct SchemaItem: Hashable, CustomStringConvertible {
    enum Kind: String {
        case entity, column, links, unique, index
    }

    let entity: String
    let kind: Kind
    /// The name of a member; the names of the columns of a group; the list that contains an owned entity, or an empty
    /// text for a root.
    private(set) var name: String
    /// The owner of an owned entity.
    var owner: String?
    /// The type of a column.
    var type: ColumnType?
    var isNullable = false
    var isDerived = false
    /// The target of a column or a list of links.
    var reference: Reference?
    /// The default of a column, unless it is `null`.
    var defaultValue: Value?

    /// The item without the parts that do not affect stored rows: the name of the list that contains an entity, and a
    /// default, which is applied once to rows written before.
    var stored: SchemaItem {
        var item = self
        item.defaultValue = nil
        if kind == .entity { item.name = "" }
        return item
    }

    var description: String {
        let target = reference.map { " -> \($0.target), \($0.onDelete)" + ($0.isOwning ? ", owned" : "") } ?? ""
        let column = type.map { " \($0)" + (isNullable ? "?" : "") + (isDerived ? " derived" : "") } ?? ""
        let list = kind == .entity ? owner.map { "in \($0)" } ?? "root" : name
        return "\(entity): \(kind.rawValue) \(list)\(column)\(target)"
    }

    /// Whether it is a column that the schemas do not declare, and that is neither derived nor a reference: the program
    /// would not keep those up to date.
    func isUnknownColumn(to schemas: SchemaSet) -> Bool {
        guard kind == .column, !isDerived, reference == nil, let schema = schemas[entity] else { return false }
        return schema.index(ofColumn: name) == nil
    }

    /// Whether it can be added to existing rows together with all other additions.
    func canBeAdded(with added: [SchemaItem], to schemas: SchemaSet) -> Bool {
        guard let schema = schemas[entity] else { return false }
        switch kind {
        case .links, .index: return true
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
    fileprivate func items(owner: String? = nil, list: String = "") -> [SchemaItem] {
        func item(_ kind: SchemaItem.Kind, _ name: String) -> SchemaItem {
            SchemaItem(entity: self.name, kind: kind, name: name)
        }
        var own = item(.entity, list)
        own.owner = owner
        let columns = columns.map { column in
            var item = item(.column, column.name)
            (item.type, item.isNullable, item.isDerived) = (column.type, column.isNullable, column.isDerived)
            item.reference = column.reference
            item.defaultValue = column.defaultValue == .null ? nil : column.defaultValue
            return item
        }
        let links = links.map { link in
            var item = item(.links, link.name)
            item.reference = Reference(target: link.target, onDelete: link.onDelete)
            return item
        }
        let groups = uniques.map { item(.unique, name(of: $0)) } + indexes.map { item(.index, name(of: $0)) }
        return [own] + columns + links + groups
            + children.flatMap { $0.schema.items(owner: name, list: $0.name) }
    }
}

extension SchemaSet {
    /// The items of all schemas: each root followed by its owned schemas, members in the order of declaration.
    var items: [SchemaItem] { roots.flatMap { $0.items() } }

    /// The items declared since a schema was recorded, if nothing else differs and existing rows permit them. Throws
    /// `incompatible` for any other difference, which requires a migration.
    ///
    /// Indexes are not compared, because they do not affect the data.
    func additions(to recorded: some Sequence<SchemaItem>) throws(PersistencyError) -> [SchemaItem] {
        let declared = items.filter { $0.kind != .index }.map(\.stored)
        let recorded = Set(recorded.filter { $0.kind != .index }.map(\.stored))
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
