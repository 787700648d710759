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
            guard let index = schema.index(ofColumn: name), !schema.columns[index].isDerived else { return false }
            let column = schema.columns[index]
            let hasDefault = column.defaultValue != nil && column.defaultValue != .null
            // A default that refers would refer in every row.
            return hasDefault ? column.reference == nil : column.isNullable
        case .unique:
            // Rows with a null are not compared: a group is unique so far if one of its columns is new and empty.
            return schema.uniques.contains { group in
                let columns = group.map { schema.columns[$0] }
                return columns.map(\.name).joined(separator: ", ") == name
                    && columns.contains { column in
                        (column.defaultValue ?? .null) == .null
                            && added.contains { $0.entity == entity && $0.kind == .column && $0.name == column.name }
                    }
            }
        }
    }
}

extension SQLTable {
    /// What a database records of the schema.
    var items: [SchemaItem] {
        func item(_ kind: SchemaItem.Kind, _ name: String, _ declaration: String = "") -> SchemaItem {
            SchemaItem(entity: self.name, kind: kind, name: name, declaration: declaration)
        }
        func names(_ group: [Int]) -> String { group.map { schema.columns[$0].name }.joined(separator: ", ") }
        let columns = schema.columns.map { column in
            let reference = column.reference.map { " -> \($0.target), \($0.onDelete)" + ($0.isOwning ? ", owned" : "") }
            let declaration = "\(column.type)" + (column.isNullable ? "?" : "") + (column.isDerived ? " derived" : "")
            return item(.column, column.name, declaration + (reference ?? ""))
        }
        let own = item(.entity, owner.map { "in \($0)" } ?? "root")
        let links = schema.links.map { item(.links, $0.name, "-> \($0.target), \($0.onDelete)") }
        let groups = schema.uniques.map { item(.unique, names($0)) } + schema.indexes.map { item(.index, names($0)) }
        return [own] + columns + links + groups
    }
}
