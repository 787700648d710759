import LarderData

/// A schema that can be changed by the names of its members.
struct SchemaEdit {
    private(set) var name: String
    private var columns: [Column]
    private var children: [ChildRelationship]
    private var links: [LinkRelationship]
    private var uniques: [[String]]
    private var indexes: [[String]]
    private var owner: String?
    private let hints: SchemaHints

    init(_ schema: EntitySchema) {
        (name, columns, hints) = (schema.name, schema.columns, schema.hints)
        (children, links) = (schema.children, schema.links)
        owner = schema.ownerColumn.map { schema.columns[$0].name }
        uniques = schema.uniques.map { $0.map { schema.columns[$0].name } }
        indexes = schema.indexes.map { $0.map { schema.columns[$0].name } }
    }

    /// The schema with these hints, or with its own ones.
    func schema(_ hints: SchemaHints? = nil) -> EntitySchema {
        func numbers(_ groups: [[String]]) -> [[Int]] {
            groups.map { $0.compactMap { name in columns.firstIndex { $0.name == name } } }
        }
        return EntitySchema(
            name: name, columns: columns, children: children, links: links, uniques: numbers(uniques),
            indexes: numbers(indexes), ownerColumn: columns.firstIndex { $0.name == owner }, hints: hints ?? self.hints)
    }

    /// Applies a change to the schemas of owned objects, at any depth.
    mutating func changeOwned(_ change: (EntitySchema) -> EntitySchema) {
        children = children.map { ChildRelationship(name: $0.name, schema: change($0.schema)) }
    }

    mutating func rename(to name: String) { self.name = name }

    mutating func rename(column old: String, to new: String) {
        columns = columns.map { column in
            guard column.name == old else { return column }
            return Column(
                name: new, type: column.type, isNullable: column.isNullable, defaultValue: column.defaultValue,
                isDerived: column.isDerived, reference: column.reference)
        }
        func renamed(_ groups: [[String]]) -> [[String]] { groups.map { $0.map { $0 == old ? new : $0 } } }
        (uniques, indexes) = (renamed(uniques), renamed(indexes))
    }

    mutating func rename(list old: String, to new: String) {
        links = links.map { link in
            link.name == old ? LinkRelationship(name: new, target: link.target, onDelete: link.onDelete) : link
        }
        children = children.map { $0.name == old ? ChildRelationship(name: new, schema: $0.schema) : $0 }
    }

    /// Refers to an entity by another name.
    mutating func retarget(_ old: String, to new: String) {
        links = links.map { link in
            link.target == old ? LinkRelationship(name: link.name, target: new, onDelete: link.onDelete) : link
        }
        columns = columns.map { column in
            guard let reference = column.reference, reference.target == old else { return column }
            return Column(
                name: column.name, type: column.type, isNullable: column.isNullable,
                reference: Reference(target: new, onDelete: reference.onDelete, isOwning: reference.isOwning))
        }
    }

    /// Removes members, with the groups that contain them.
    mutating func remove(_ names: String...) {
        columns.removeAll { names.contains($0.name) }
        links.removeAll { names.contains($0.name) }
        children.removeAll { names.contains($0.name) }
        removeGroups { group in group.contains(where: names.contains) }
    }

    /// Replaces a column by others, in its place.
    mutating func replace(_ name: String, with others: Column...) {
        guard let index = columns.firstIndex(where: { $0.name == name }) else { return }
        columns.replaceSubrange(index...index, with: others)
        if !others.contains(where: { $0.name == name }) { removeGroups { $0.contains(name) } }
    }

    mutating func removeGroups(where isRemoved: ([String]) -> Bool = { _ in true }) {
        uniques.removeAll(where: isRemoved)
        indexes.removeAll(where: isRemoved)
    }

    mutating func add(_ column: Column) { columns.append(column) }
    mutating func add(_ list: ChildRelationship) { children.append(list) }
    mutating func add(_ list: LinkRelationship) { links.append(list) }
    mutating func add(index group: [String]) { indexes.append(group) }
}
