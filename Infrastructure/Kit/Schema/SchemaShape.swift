package import LarderData
package import LarderDomain

/// The shape of stored data as items, which a plan changes one after the other.
package struct SchemaShape {
    /// Limits for records that this program has not written.
    private static let (maximumCount, maximumDepth) = (10_000, 32)

    package private(set) var items: [SchemaItem]

    package init(_ items: [SchemaItem]) { self.items = items }

    /// The entity with a name.
    func entity(_ name: String) -> SchemaItem? { items.first { $0.kind == .entity && $0.entity == name } }

    /// The column or list of links with a name.
    func member(_ name: String, of entity: String) -> SchemaItem? {
        items.first { $0.entity == entity && $0.name == name && ($0.kind == .column || $0.kind == .links) }
    }

    func contains(_ item: SchemaItem) -> Bool { index(of: item) != nil }

    private func index(of item: SchemaItem) -> Int? {
        items.firstIndex { ($0.entity, $0.kind, $0.name) == (item.entity, item.kind, item.name) }
    }

    /// The entities that an entity owns, at any depth.
    func owned(by entity: String) -> [String] {
        items.filter { $0.kind == .entity && $0.owner == entity }.flatMap { [$0.entity] + owned(by: $0.entity) }
    }

    package mutating func apply(_ action: SchemaAction) {
        switch action {
        case .renameEntity(let old, let new):
            for index in items.indices {
                if items[index].entity == old { items[index].entity = new }
                if items[index].owner == old { items[index].owner = new }
                items[index].reference = items[index].reference.map {
                    $0.target == old ? Reference(target: new, onDelete: $0.onDelete, isOwning: $0.isOwning) : $0
                }
            }
        case .renameMember(let item, let new):
            for index in items.indices where items[index].entity == item.entity && items[index].kind != .entity {
                let names = items[index].groupedColumns.map { $0 == item.name ? new : $0 }
                items[index].name = names.joined(separator: ", ")
            }
        case .drop(let item):
            let entities = item.kind == .entity ? [item.entity] + owned(by: item.entity) : []
            items.removeAll { other in
                entities.contains(other.entity) || other == item
                    || item.kind == .column && other.entity == item.entity
                        && (other.kind == .unique || other.kind == .index) && other.groupedColumns.contains(item.name)
            }
        case .add(let added): items += added
        case .replace(let changed):
            for item in changed { if let index = index(of: item) { items[index] = item } }
        }
    }

    /// The schemas of the shape. Throws `incompatible` for items of which no schemas consist.
    package func schemas() throws(PersistencyError) -> SchemaSet {
        let entities = items.filter { $0.kind == .entity }
        let owners = Dictionary(entities.map { ($0.entity, $0.owner) }) { first, _ in first }
        let isTree = entities.allSatisfy { entity in
            var (owner, depth) = (entity.owner, 0)
            while let next = owner, depth < Self.maximumDepth { (owner, depth) = (owners[next] ?? nil, depth + 1) }
            return owner == nil
        }
        guard owners.count == entities.count, isTree, items.count <= Self.maximumCount else {
            throw .incompatible("the recorded schema repeats an entity, nests entities too deeply, or is too large")
        }
        return try SchemaSet(roots)
    }

    /// The schemas of the roots, which may refer to roots outside the shape.
    var roots: [EntitySchema] {
        items.filter { $0.kind == .entity && $0.owner == nil }.map { schema($0.entity) }
    }

    private func schema(_ entity: String) -> EntitySchema {
        let own = items.filter { $0.entity == entity }
        let columns = own.filter { $0.kind == .column }
        func groups(_ kind: SchemaItem.Kind) -> [[Int]] {
            // An unknown name becomes -1, which the check of the schema set refuses.
            own.filter { $0.kind == kind }.map { item in
                item.groupedColumns.map { name in columns.firstIndex { $0.name == name } ?? -1 }
            }
        }
        let children = items.filter { $0.kind == .entity && $0.owner == entity }.map { item in
            // The first formats did not record the name of the list.
            ChildRelationship(name: item.name.isEmpty ? item.entity : item.name, schema: schema(item.entity))
        }
        return EntitySchema(
            name: entity,
            columns: columns.map { item in
                Column(
                    name: item.name, type: item.type ?? .text, isNullable: item.isNullable,
                    defaultValue: item.defaultValue, isDerived: item.isDerived, reference: item.reference,
                    scale: item.scale)
            }, children: children,
            links: own.filter { $0.kind == .links }.map { item in
                LinkRelationship(
                    name: item.name, target: item.reference?.target ?? "", onDelete: item.reference?.onDelete ?? .refuse
                )
            }, uniques: groups(.unique), indexes: groups(.index))
    }
}
