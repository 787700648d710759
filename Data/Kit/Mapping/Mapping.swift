public import LarderDomain

/// A schema with the property that each member stores: the only declaration of an entity's columns.
public final class Mapping<E: Entity>: Sendable {
    /// The untyped half, which stores use.
    public let schema: EntitySchema
    /// Appends the value of each column.
    @usableFromInline let encode: MappedMember<E>.RowEncoder
    /// Compares each column, and each list, with those of a row.
    @usableFromInline let compare: MappedMember<E>.RowComparer
    @usableFromInline let children: [MappedMember<E>.ChildrenEncoder]
    @usableFromInline let links: [MappedMember<E>.LinksEncoder]
    /// The members by key path, for queries. Key paths of the same property are equal in all modules.
    @usableFromInline let keyPaths: KeyPathTable

    /// Declares how an entity is stored.
    ///
    /// - Parameters:
    ///   - name: The name in the store and in errors, equal to ``Entity/entityName``: singular, lower case with
    ///     underscores.
    ///   - id: Always `\.id`, written where the type is known: a key path through a protocol is not equal to it.
    ///   - members: In the order in which ``ObjectReader`` reads them.
    ///   - unique: Groups of columns that are unique together, in addition to ``MappedMember/unique`` members.
    ///   - indexed: Groups of columns that queries search or sort by together.
    ///   - renamedFrom: The names that the entity had in earlier versions, the latest first.
    ///   - dropped: The columns and lists of earlier versions that were removed. A migration deletes their data.
    public init(
        _ name: String, id: any KeyPath<E, E.ID> & Sendable, _ members: [MappedMember<E>], unique: [[String]] = [],
        indexed: [[String]] = [], renamedFrom formerNames: [String] = [], dropped: [String] = []
    ) {
        var hints = SchemaHints(formerNames: formerNames, dropped: dropped)
        var columns: [Column] = []
        var uniques: [[Int]] = []
        var indexes: [[Int]] = []
        var ownerColumn: Int?
        var childRelationships: [ChildRelationship] = []
        var linkRelationships: [LinkRelationship] = []
        // Each closure calls that of the columns before it. Loops over arrays of closures would cost a fifth more.
        var encodeColumns: MappedMember<E>.RowEncoder = { _, _ in }
        var compareRow: MappedMember<E>.RowComparer = { _, _ in true }
        var (childrenEncoders, linksEncoders) = ([MappedMember<E>.ChildrenEncoder](), [MappedMember<E>.LinksEncoder]())
        var linkComparers: [MappedMember<E>.ListComparer] = []
        var table: [AnyKeyPath: EntityMember] = [id: .id]
        var search: (list: ChildRelationship, encode: MappedMember<E>.ChildrenEncoder)?
        for member in members {
            if !member.formerNames.isEmpty { hints.formerMembers[member.name] = member.formerNames }
            switch member.kind {
            case .column(let column, let encode, let compare):
                table[member.keyPath] = .column(columns.count)
                if member.isUnique { uniques.append([columns.count]) }
                if member.isIndexed { indexes.append([columns.count]) }
                if member.isOwner { ownerColumn = columns.count }
                let (index, encodeOthers, compareOthers) = (columns.count, encodeColumns, compareRow)
                columns.append(column)
                encodeColumns = { (entity, values) throws(ValueRefusal) in
                    try encodeOthers(entity, &values)
                    values.append(try encode(entity))
                }
                compareRow = { entity, row in
                    unsafe compareOthers(entity, row) && compare(entity, row.cells[index])
                }
            case .children(let relationship, let childTable, let encode, let compare):
                table[member.keyPath] = .children(childRelationships.count, childTable)
                childRelationships.append(relationship)
                let (index, compareOthers) = (childrenEncoders.count, compareRow)
                compareRow = { compareOthers($0, $1) && compare($0, $1, index) }
                childrenEncoders.append(encode)
            case .links(let relationship, let encode, let compare):
                table[member.keyPath] = .links(linkRelationships.count)
                linkRelationships.append(relationship)
                linksEncoders.append(encode)
                linkComparers.append(compare)
            case .search(let list, let fields):
                let former = ([name] + formerNames).flatMap { entity in
                    ([list] + member.formerNames).map { entity + "_" + $0 }
                }
                let schema = SearchTerms.schema(former[0], formerNames: Array(former.dropFirst()))
                search = (ChildRelationship(name: list, schema: schema), { SearchTerms.objects($0, fields, schema) })
            }
        }
        // After the lists that mappers read. An entity that is otherwise the same has the same words.
        if let search {
            childRelationships.append(search.list)
            childrenEncoders.append(search.encode)
        }
        for (index, compare) in linkComparers.enumerated() {
            let (index, compareOthers) = (childrenEncoders.count + index, compareRow)
            compareRow = { compareOthers($0, $1) && compare($0, $1, index) }
        }
        func positions(_ groups: [[String]]) -> [[Int]] {
            // An unknown column name becomes -1, which the check of the schema set refuses.
            groups.map { $0.map { name in columns.firstIndex { $0.name == name } ?? -1 } }
        }
        schema = EntitySchema(
            name: name, columns: columns, children: childRelationships, links: linkRelationships,
            uniques: uniques + positions(unique), indexes: indexes + positions(indexed), ownerColumn: ownerColumn,
            hints: hints)
        (encode, compare) = (encodeColumns, compareRow)
        (children, links) = (childrenEncoders, linksEncoders)
        keyPaths = KeyPathTable(table)
    }

    /// The entity as a storage object. Inlinable, so that it is specialized for the entity's type.
    @inlinable
    func storageObject(from entity: E) throws(PersistencyError) -> StorageObject {
        try EntityAddress.with(entity) { (entity) throws(PersistencyError) in try storageObject(at: entity) }
    }

    @inlinable func storageObject(at entity: EntityAddress<E>) throws(PersistencyError) -> StorageObject {
        let id = unsafe entity.pointer.pointee.id.rawValue
        var values: [Value] = []
        values.reserveCapacity(schema.columnTypes.count)
        do {
            try encode(entity, &values)
        } catch {
            throw schema.invalid(schema.columns[values.count].name, error.reason, id)
        }
        var lists: [[StorageObject]] = []
        for encode in children {
            let objects = try encode(entity)
            guard objects.repeatedID == nil else {
                throw schema.invalid(schema.children[lists.count].name, "must not have duplicate objects", id)
            }
            lists.append(objects)
        }
        return StorageObject(
            schema: schema, id: id, values: values, children: lists, links: links.map { $0(entity) })
    }

    /// Whether the entity would be stored as this row; `false` if that is unknown without encoding the entity.
    @inlinable
    func isSame(_ entity: E, as row: LentRow) -> Bool {
        guard row.columnCount == schema.columnTypes.count, unsafe row.tables != nil || schema.isFlat else {
            return false
        }
        return EntityAddress.with(entity) { compare($0, row) }
    }
}

extension [StorageObject] {
    /// The first repeated id. New ids usually ascend, and then none needs to be hashed.
    @usableFromInline var repeatedID: RawID? {
        if indices.dropFirst().allSatisfy({ self[$0 - 1].id < self[$0].id }) { return nil }
        var seen: Set<RawID> = []
        return first { !seen.insert($0.id).inserted }?.id
    }
}
