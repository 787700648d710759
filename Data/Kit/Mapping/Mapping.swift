public import LarderDomain

/// A schema with the property that each member stores: the only declaration of an entity's columns.
public final class Mapping<E: Entity>: Sendable {
    /// The untyped half, which stores use.
    public let schema: EntitySchema
    /// Appends the value of each column, `null` for a derived one.
    @usableFromInline let encode: MappedMember<E>.RowEncoder
    /// Computes each derived column, by index.
    @usableFromInline let derivedColumns: [(index: Int, encode: MappedMember<E>.ColumnEncoder)]
    /// The values that an update by query may set, by column.
    let settable: [Int: ValidValues]
    /// Computes the words of a search, which are the last owned list.
    @usableFromInline let searchWords: MappedMember<E>.ChildrenEncoder?
    /// Compares the texts of a search.
    @usableFromInline let compareTexts: MappedMember<E>.MemberComparer
    /// Compares each column, and each list, with those of a row.
    @usableFromInline let compare: MappedMember<E>.RowComparer
    /// Compares each column that is not derived, and each list, of two entities.
    @usableFromInline let compareEntities: MappedMember<E>.MemberComparer
    @usableFromInline let children: [MappedMember<E>.ChildrenEncoder]
    /// Compares each owned list of two entities; never the same for the words of a search.
    @usableFromInline let compareChildren: [MappedMember<E>.MemberComparer]
    @usableFromInline let links: [MappedMember<E>.LinksEncoder]
    /// The members by key path, for queries. Key paths of the same property are equal in all modules.
    @usableFromInline let keyPaths: KeyPathTable

    /// Declares how an entity is stored.
    ///
    /// - Parameters:
    ///   - name: The name in the store and in errors, equal to `Entity.entityName`: singular, lower case with
    ///     underscores.
    ///   - id: Always `\.id`, written where the type is known: a key path through a protocol is not equal to it.
    ///   - members: In the order in which ``ObjectReader`` reads them.
    ///   - unique: Groups of columns that are unique together, in addition to ``MappedMember/unique`` members.
    ///   - indexed: Groups of columns that queries search or sort by together.
    ///   - formerNames: The names that the entity had in earlier versions, the latest first.
    ///   - dropped: The columns and lists of earlier versions that were removed. A migration deletes their data.
    public init(
        _ name: String, id: any KeyPath<E, E.ID> & Sendable, _ members: [MappedMember<E>], unique: [[String]] = [],
        indexed: [[String]] = [], renamedFrom formerNames: [String] = [], dropped: [String] = []
    ) {
        var hints = SchemaHints(formerNames: formerNames, dropped: dropped)
        var columns: [Column] = []
        var (uniques, indexes) = ([[String]](), [[String]]())
        var (ownerColumn, journalColumn) = (Int?.none, Int?.none)
        var settable: [Int: ValidValues] = [:]
        var childRelationships: [ChildRelationship] = []
        var linkRelationships: [LinkRelationship] = []
        // Each closure calls that of the columns before it. Loops over arrays of closures would cost a fifth more.
        var encodeColumns: MappedMember<E>.RowEncoder = { _, _ in }
        var compareRow: MappedMember<E>.RowComparer = { _, _ in true }
        var compareEntities: MappedMember<E>.MemberComparer = { _, _ in true }
        func compareAlso(_ isSame: @escaping MappedMember<E>.MemberComparer) {
            let compareOthers = compareEntities
            compareEntities = { compareOthers($0, $1) && isSame($0, $1) }
        }
        var derivedColumns: [(index: Int, encode: MappedMember<E>.ColumnEncoder)] = []
        var (childrenEncoders, linksEncoders) = ([MappedMember<E>.ChildrenEncoder](), [MappedMember<E>.LinksEncoder]())
        var linkComparers: [MappedMember<E>.ListComparer] = []
        var compareChildren: [MappedMember<E>.MemberComparer] = []
        var table: [AnyKeyPath: EntityMember] = [id: .id]
        var search: (list: ChildRelationship, encode: MappedMember<E>.ChildrenEncoder)?
        var compareTexts: MappedMember<E>.MemberComparer = { _, _ in true }
        for member in members.flatMap(\.parts) {
            if !member.formerNames.isEmpty { hints.formerMembers[member.name] = member.formerNames }
            if member.isSealedWithOthers { hints.sealedWithOthers.insert(member.name) }
            if member.isUnsealed { hints.unsealed.insert(member.name) }
            switch member.kind {
            case .column(let column, let encode, let compare, let same):
                table[member.keyPath] = .column(columns.count, column.scale)
                for value in member.presentValues { table[value] = .value(presence: columns.count) }
                uniques += member.uniques
                indexes += member.indexes
                if member.isOwner { ownerColumn = columns.count }
                if member.isJournalPosition { journalColumn = columns.count }
                settable[columns.count] = member.validValues
                let (index, encodeOthers, compareOthers) = (columns.count, encodeColumns, compareRow)
                columns.append(column)
                if column.isDerived {
                    derivedColumns.append((index, encode))
                    encodeColumns = { (entity, values) throws(ValueRefusal) in
                        try encodeOthers(entity, &values)
                        values.append(.null)
                    }
                } else {
                    compareAlso(same)
                    encodeColumns = { (entity, values) throws(ValueRefusal) in
                        try encodeOthers(entity, &values)
                        values.append(try encode(entity))
                    }
                }
                compareRow = { entity, row in
                    unsafe compareOthers(entity, row) && compare(entity, row.cells[index])
                }
            case .children(let relationship, let childTable, let encode, let compare, let same):
                compareAlso(same)
                table[member.keyPath] = .children(childRelationships.count, childTable)
                childRelationships.append(relationship)
                let (index, compareOthers) = (childrenEncoders.count, compareRow)
                compareRow = { compareOthers($0, $1) && compare($0, $1, index) }
                childrenEncoders.append(encode)
                compareChildren.append(same)
            case .links(let relationship, let encode, let compare, let same):
                compareAlso(same)
                table[member.keyPath] = .links(linkRelationships.count)
                linkRelationships.append(relationship)
                linksEncoders.append(encode)
                linkComparers.append(compare)
            case .search(let list, let fields):
                let former = ([name] + formerNames).flatMap { entity in
                    ([list] + member.formerNames).map { entity + "_" + $0 }
                }
                let schema = SearchList.schema(
                    former[0], weights: fields.map(\.weight), formerNames: Array(former.dropFirst()))
                search = (ChildRelationship(name: list, schema: schema), { SearchList.objects($0, fields, schema) })
                compareTexts = { entity, other in
                    let (entity, other) = unsafe (entity.pointer.pointee, other.pointer.pointee)
                    return fields.allSatisfy { $0.texts(entity) == $0.texts(other) }
                }
            case .value: break
            }
        }
        // After the lists that mappers read. An entity that is otherwise the same has the same words.
        if let search {
            childRelationships.append(search.list)
            childrenEncoders.append { _ throws(PersistencyError) in [] }
            compareChildren.append { _, _ in false }
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
            uniques: positions(uniques + unique), indexes: positions(indexes + indexed), ownerColumn: ownerColumn,
            journalColumn: journalColumn, hints: hints)
        (encode, compare, self.compareEntities) = (encodeColumns, compareRow, compareEntities)
        (self.derivedColumns, searchWords, self.compareTexts) = (derivedColumns, search?.encode, compareTexts)
        (children, self.compareChildren, links) = (childrenEncoders, compareChildren, linksEncoders)
        (keyPaths, self.settable) = (KeyPathTable(table), settable)
    }

    /// The entity as a storage object, without values of derived columns and words of a search.
    ///
    /// Inlinable, like the functions below, so that it is specialized for the entity's type.
    @inlinable
    func storageObject(from entity: E) throws(PersistencyError) -> StorageObject {
        try EntityAddress.with(entity) { (entity) throws(PersistencyError) in try storageObject(at: entity) }
    }

    /// - Parameter similar: Another entity and its object, whose owned lists are used where both entities have the same
    ///   ones: a comparison costs less than an encoding.
    @inlinable func storageObject(
        at entity: EntityAddress<E>, like similar: (entity: EntityAddress<E>, object: StorageObject)? = nil
    ) throws(PersistencyError) -> StorageObject {
        let id = unsafe entity.pointer.pointee.id.rawValue
        var values: [Value] = []
        values.reserveCapacity(schema.columnTypes.count)
        do {
            try encode(entity, &values)
        } catch {
            throw schema.invalid(schema.columns[values.count].name, error.reason, id)
        }
        var lists: [[StorageObject]] = []
        for (list, encode) in children.enumerated() {
            if let similar, compareChildren[list](entity, similar.entity) {
                lists.append(similar.object.children[list])
                continue
            }
            let objects = try encode(entity)
            guard objects.repeatedID == nil else {
                throw schema.invalid(schema.children[list].name, "must not have duplicate objects", id)
            }
            lists.append(objects)
        }
        return StorageObject(
            schema: schema, id: id, values: values, children: lists, links: links.map { $0(entity) })
    }

    /// Whether an object has values that are computed from the entity as it will be read.
    @inlinable var isDeriving: Bool { !derivedColumns.isEmpty || searchWords != nil }

    /// The storage object of an entity that was read.
    ///
    /// - Parameters:
    ///   - change: The entity's next state, as it will be read, and its object.
    ///   - hasWords: Whether it has the words of a search.
    @inlinable
    func storageObject(
        ofRead entity: E, before change: (entity: E, object: StorageObject)? = nil, hasWords: Bool = true
    ) throws(PersistencyError) -> StorageObject {
        var object = try EntityAddress.with(entity) { (entity) throws(PersistencyError) in
            guard let change else { return try storageObject(at: entity) }
            return try EntityAddress.with(change.entity) { (changed) throws(PersistencyError) in
                try storageObject(at: entity, like: (changed, change.object))
            }
        }
        try derive(from: entity, into: &object, hasWords: hasWords)
        return object
    }

    /// Computes derived columns, and words of a search, of an entity as it will be read.
    @inlinable
    func derive(
        from entity: E, into object: inout StorageObject, hasWords: Bool = true
    ) throws(PersistencyError) {
        guard isDeriving else { return }
        try EntityAddress.with(entity) { (entity) throws(PersistencyError) in
            for (index, encode) in derivedColumns {
                do throws(ValueRefusal) {
                    object.values[index] = try encode(entity)
                } catch {
                    throw schema.invalid(schema.columns[index].name, error.reason, object.id)
                }
            }
            if hasWords, let searchWords { object.children[object.children.count - 1] = try searchWords(entity) }
        }
    }

    /// Whether a search finds both entities by the same words, because their texts are the same; both as read.
    @inlinable
    func hasSameWords(_ entity: E, as other: E) -> Bool {
        searchWords == nil
            || EntityAddress.with(entity) { entity in EntityAddress.with(other) { compareTexts(entity, $0) } }
    }

    /// Whether both entities have the same id and would be stored with the same values; the entity's own `==` may ignore
    /// a difference. `false` also for a value that no store accepts.
    ///
    /// An entity that was not changed since it was read has the same bytes, and its members need no comparison.
    @inlinable
    func isSame(_ entity: E, as other: E) -> Bool {
        guard entity.id.rawValue == other.id.rawValue else { return false }
        return EntityAddress.with(entity) { entity in
            EntityAddress.with(other) { entity.hasSameBytes(as: $0) || compareEntities(entity, $0) }
        }
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
