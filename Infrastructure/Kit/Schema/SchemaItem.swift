package import LarderData

/// One declaration of a schema, as a store records it with its data.
package struct SchemaItem: Hashable, CustomStringConvertible {
    package enum Kind: String {
        case entity, column, links, unique, index
    }

    package var entity: String
    package let kind: Kind
    /// The name of a member; the names of the columns of a group; the list that contains an owned entity, or an empty
    /// text for a root.
    package var name: String
    /// The owner of an owned entity.
    package var owner: String?
    /// The type of a column.
    package var type: ColumnType?
    /// The scale of a column of decimals.
    var scale: Int?
    package var isNullable = false
    var isDerived = false
    /// The target of a column or a list of links.
    package var reference: Reference?
    /// The default of a column, unless it is `null`.
    package var defaultValue: Value?

    /// The item for users: `user.email, text, nullable`.
    package var description: String {
        switch kind {
        case .entity: owner.map { "\(entity), owned by \($0)" } ?? entity
        case .links: "\(entity).\(name), links to \(reference?.target ?? "")"
        case .unique: "unique \(entity) (\(name))"
        case .index: "index \(entity) (\(name))"
        case .column:
            "\(entity).\(name), \(typeName ?? "")" + (isNullable ? ", nullable" : "")
                + (isDerived ? ", derived" : "") + (reference.map { ", refers to \($0.target)" } ?? "")
                + (defaultValue.map { ", default \($0)" } ?? "")
        }
    }

    /// The name of a column's type, with its scale.
    var typeName: String? { type.map { ColumnType.name($0, scale: scale) } }

    /// The names of the columns of a group; the name of a member.
    var groupedColumns: [String] { name.split(separator: ", ").map(String.init) }

    /// Whether rows can be written by a program that does not know the column: it neither has to compute it nor to keep
    /// a reference resolved.
    var canStayUnknown: Bool {
        kind == .column && !isDerived && reference == nil && (isNullable || defaultValue != nil)
    }
}

extension Column {
    func item(of entity: String) -> SchemaItem {
        var item = SchemaItem(entity: entity, kind: .column, name: name)
        (item.type, item.isNullable, item.isDerived, item.reference) = (type, isNullable, isDerived, reference)
        item.scale = scale
        item.defaultValue = defaultValue == .null ? nil : defaultValue
        return item
    }
}

extension LinkRelationship {
    func item(of entity: String) -> SchemaItem {
        var item = SchemaItem(entity: entity, kind: .links, name: name)
        item.reference = Reference(target: target, onDelete: onDelete)
        return item
    }
}

extension EntitySchema {
    func name(of group: [Int]) -> String { group.map { columns[$0].name }.joined(separator: ", ") }

    /// The items of the schema and of its owned schemas.
    func items(owner: String? = nil, list: String = "") -> [SchemaItem] {
        func item(_ kind: SchemaItem.Kind, _ name: String) -> SchemaItem {
            SchemaItem(entity: self.name, kind: kind, name: name)
        }
        var own = item(.entity, list)
        own.owner = owner
        let columns = columns.map { $0.item(of: name) }
        let links = links.map { $0.item(of: name) }
        let groups = uniques.map { item(.unique, name(of: $0)) } + indexes.map { item(.index, name(of: $0)) }
        return [own] + columns + links + groups
            + children.flatMap { $0.schema.items(owner: name, list: $0.name) }
    }
}

extension SchemaSet {
    /// The items of all schemas: each root followed by its owned schemas, members in the order of declaration.
    var items: [SchemaItem] { roots.flatMap { $0.items() } }
}
