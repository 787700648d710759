internal import LarderData

/// One declaration of a schema, as a database records it.
struct SchemaItem: Hashable, CustomStringConvertible {
    enum Kind: String {
        case entity, column, links, unique, index
    }

    let entity: String
    let kind: Kind
    let name: String
    /// All that matters for rows that are there; a default is for those that were written before, once.
    let declaration: String

    var description: String { "\(entity): \(kind.rawValue) \(name) \(declaration)" }

    /// Whether rows that are there can have it.
    ///
    /// - Parameter added: Everything that is new.
    func canBeAdded(with added: [SchemaItem], _ plan: SQLPlan) -> Bool {
        guard let schema = plan[entity]?.schema else { return false }
        switch kind {
        case .links, .index: return true
        case .entity: return false
        case .column:
            guard let index = schema.index(ofColumn: name) else { return false }
            let column = schema.columns[index]
            // It is computed from what is there, by whoever maps the root.
            if column.isDerived { return column.reference == nil && plan.derives(entity) }
            let hasDefault = column.defaultValue != nil && column.defaultValue != .null
            // A default that refers would refer in every row.
            return hasDefault ? column.reference == nil : column.isNullable
        case .unique:
            // Rows with a null are not compared: a group is unique so far if one of its columns is new and empty. What is
            // computed for a new one is compared when all rows have it.
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

extension SQLPlan {
    /// Whether somebody computes the derived columns of a schema, root or owned.
    fileprivate func derives(_ entity: String) -> Bool {
        roots.contains { root in
            root.withDescendants.contains { $0.schema.name == entity } && schemas.derivation(of: root.schema) != nil
        }
    }
}

extension EntitySchema {
    /// The name of a group of columns, as a database records it.
    func name(of group: [Int]) -> String { group.map { columns[$0].name }.joined(separator: ", ") }
}

extension SQLTable {
    /// What a database records of the schema.
    var items: [SchemaItem] {
        func item(_ kind: SchemaItem.Kind, _ name: String, _ declaration: String = "") -> SchemaItem {
            SchemaItem(entity: self.name, kind: kind, name: name, declaration: declaration)
        }
        let columns = schema.columns.map { column in
            let reference = column.reference.map { " -> \($0.target), \($0.onDelete)" + ($0.isOwning ? ", owned" : "") }
            let declaration = "\(column.type)" + (column.isNullable ? "?" : "") + (column.isDerived ? " derived" : "")
            return item(.column, column.name, declaration + (reference ?? ""))
        }
        let own = item(.entity, owner.map { "in \($0)" } ?? "root")
        let links = schema.links.map { item(.links, $0.name, "-> \($0.target), \($0.onDelete)") }
        let groups =
            schema.uniques.map { item(.unique, schema.name(of: $0)) }
            + schema.indexes.map { item(.index, schema.name(of: $0)) }
        return [own] + columns + links + groups
    }
}
