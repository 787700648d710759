public import LarderDomain

/// One member of a mapping: a property of the entity, or of a value object, and its storage.
public struct MappedMember<E: Sendable>: Sendable {
    @usableFromInline typealias ColumnEncoder = @Sendable (EntityAddress<E>) throws(ValueRefusal) -> Value
    @usableFromInline typealias ColumnComparer = @Sendable (EntityAddress<E>, Cell) -> Bool
    /// Compares the stored values of a member of two entities.
    @usableFromInline typealias MemberComparer = @Sendable (EntityAddress<E>, EntityAddress<E>) -> Bool
    @usableFromInline typealias RowEncoder = @Sendable (EntityAddress<E>, inout [Value]) throws(ValueRefusal) -> Void
    @usableFromInline typealias RowComparer = @Sendable (EntityAddress<E>, LentRow) -> Bool
    @usableFromInline typealias ChildrenEncoder =
        @Sendable (EntityAddress<E>) throws(PersistencyError) -> [StorageObject]
    @usableFromInline typealias LinksEncoder = @Sendable (EntityAddress<E>) -> [RawID]
    /// Compares a list of the entity with a list of a row, by number.
    @usableFromInline typealias ListComparer = @Sendable (EntityAddress<E>, LentRow, Int) -> Bool

    @usableFromInline
    enum Kind: Sendable {
        case column(Column, ColumnEncoder, ColumnComparer, MemberComparer)
        case children(ChildRelationship, KeyPathTable, ChildrenEncoder, ListComparer, MemberComparer)
        case links(LinkRelationship, LinksEncoder, ListComparer, MemberComparer)
        case search(String, [SearchField<E>])
        /// The columns of a value object.
        case value(String, [MappedMember])
    }

    @usableFromInline let keyPath: any AnyKeyPath & Sendable
    @usableFromInline let kind: Kind
    /// The groups of columns that the member declares as unique together, and as indexed together.
    @usableFromInline var uniques: [[String]] = []
    @usableFromInline var indexes: [[String]] = []
    @usableFromInline var isOwner = false
    @usableFromInline var isJournalPosition = false
    @usableFromInline var isSealedWithOthers = false
    @usableFromInline var isUnsealed = false
    @usableFromInline var formerNames: [String] = []
    /// The values that an update by query may set; `nil` if it may not change the column.
    @usableFromInline var validValues: ValidValues?
    /// The columns before this one that the same declaration creates.
    @usableFromInline var preceding: [MappedMember] = []
    /// The optional value objects that are absent exactly where this column is null.
    @usableFromInline var presentValues: [any AnyKeyPath & Sendable] = []

    @usableFromInline
    init(_ keyPath: any AnyKeyPath & Sendable, _ kind: Kind) {
        self.keyPath = keyPath
        self.kind = kind
    }

    /// The same column, unique among all entities; any number of them may have `nil`. The columns of a value object are
    /// unique together [part.6].
    public var unique: MappedMember { setting { $0.uniques.append(columnNames) } }

    /// The same column with an index, for frequent searches or sorts. The columns of a value object have one index.
    public var indexed: MappedMember { setting { $0.indexes.append(columnNames) } }

    /// The same reference, marked as the owner, which determines who may see changes of the entity.
    public var owner: MappedMember { setting { $0.isOwner = true } }

    /// The same column with the text of a token: the journal retains the commits after it, as ``JournalBounds/unread`` permits,
    /// while the entity is stored.
    public var keepsJournal: MappedMember { setting { $0.isJournalPosition = true } }

    /// The same column of a root, sealed as ``Sealing/content`` in a store that has other sealed columns: for entities
    /// that copy values of others, such as stored responses. A blob needs no migration when another column is sealed.
    public var sealedWithOthers: MappedMember { setting { $0.isSealedWithOthers = true } }

    /// The same derived column or search, which contains nothing of sealed columns. Without it, an entity with sealed
    /// columns cannot have a plain derived column or a search, whose values are functions of the whole entity.
    public var unsealed: MappedMember { setting { $0.isUnsealed = true } }

    /// The same column or list, which had other names in earlier versions.
    ///
    /// A migration renames it in a store, and keeps its data. Applies to stores that have no member of the current name.
    ///
    /// - Parameter names: The former names, the latest first. For a value object, they are prefixes of its columns; the
    ///   empty one is for columns that had no prefix.
    public func renamed(from names: String...) -> MappedMember { setting { $0.formerNames = names } }

    /// The name of the column or list.
    var name: String {
        switch kind {
        case .column(let column, _, _, _): column.name
        case .children(let list, _, _, _, _): list.name
        case .links(let list, _, _, _): list.name
        case .search(let name, _): name
        case .value(let name, _): name
        }
    }

    func setting(_ change: (inout MappedMember) -> Void) -> MappedMember {
        var member = self
        change(&member)
        return member
    }
}

extension MappedMember {
    /// A property with a single value.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - keyPath: The property.
    ///   - defaultValue: The value for rows that were written before the column existed.
    ///   - sealing: The form in which the values are encrypted, which requires a `SealedStore`.
    @inlinable @inline(__always)
    public static func column<V: ColumnValue>(
        _ name: String, _ keyPath: any KeyPath<E, V> & Sendable, default defaultValue: Value? = nil,
        sealed sealing: Sealing? = nil
    ) -> MappedMember {
        column(name, keyPath, defaultValue: defaultValue, sealing: sealing)
    }

    /// An exact decimal, stored as an integer: the units of a scale.
    ///
    /// A number that has more digits after the point, or does not fit, is refused with a field error. Another scale
    /// changes the meaning of the stored units, and needs a step of a migration.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - keyPath: The property.
    ///   - scale: The digits after the point, 0 to 9. The schema set refuses another one.
    ///   - defaultValue: The value for rows that were written before the column existed.
    ///   - sealing: The form in which the values are encrypted, which requires a `SealedStore`.
    public static func decimal<V: DecimalValue>(
        _ name: String, _ keyPath: any KeyPath<E, V> & Sendable, scale: Int, default defaultValue: ExactDecimal? = nil,
        sealed sealing: Sealing? = nil
    ) -> MappedMember {
        // The check of the schema set refuses a default of another type.
        let defaultValue = defaultValue.map { (try? $0.columnValue(scale: scale)) ?? .text($0.description) }
        let column = Column(
            name: name, type: .integer, isNullable: V.isNullable, defaultValue: defaultValue, sealing: sealing,
            scale: scale)
        let property = PropertyReader(keyPath)
        let encode: ColumnEncoder = { (entity) throws(ValueRefusal) in try property(entity).columnValue(scale: scale) }
        return MappedMember(
            keyPath,
            .column(
                column, encode, { (try? encode($0)) == $1.value(of: .integer) },
                { one, other in (try? encode(one)).map { $0 == (try? encode(other)) } ?? false }))
    }

    /// A computed property that is stored for searches and not read back. It is computed from the entity as a read
    /// returns it, in which texts are in NFC and the mapper's initializer has been applied.
    @inlinable @inline(__always)
    public static func derived<V: ColumnValue>(
        _ name: String, _ keyPath: any KeyPath<E, V> & Sendable, sealed sealing: Sealing? = nil
    ) -> MappedMember {
        column(name, keyPath, isDerived: true, sealing: sealing)
    }

    /// An ordered list of objects that the entity owns.
    @inlinable @inline(__always) public static func children<Mapper: EntityMapper>(
        _ name: String, _ keyPath: any KeyPath<E, [Mapper.Model]> & Sendable, _ mapper: Mapper.Type
    ) -> MappedMember where E: Entity {
        let (mapping, property) = (Mapper.mapping, PropertyReader(keyPath))
        let encode: ChildrenEncoder = { (entity) throws(PersistencyError) in
            let models = property(entity)
            var objects: [StorageObject] = []
            objects.reserveCapacity(models.count)
            for model in models { objects.append(try Mapper.storageObject(from: model)) }
            return objects
        }
        let compare: ListComparer = { entity, row, list in
            let models = property(entity)
            let rows = row.list(list)
            return rows.count == models.count
                && models.indices.allSatisfy { index in
                    let owned = row.owned(rows.lowerBound + index, columnCount: mapping.schema.columnTypes.count)
                    return owned.id == models[index].id.rawValue && mapping.isSame(models[index], as: owned)
                }
        }
        let same: MemberComparer = { entity, other in
            let (models, others) = (property(entity), property(other))
            return models.count == others.count
                && models.indices.allSatisfy { mapping.isSame(models[$0], as: others[$0]) }
        }
        let relationship = ChildRelationship(name: name, schema: mapping.schema)
        return MappedMember(keyPath, .children(relationship, mapping.keyPaths, encode, compare, same))
    }

    /// The words of the entity's texts, stored for `Query.search` and not read back. They are computed from the entity
    /// as a read returns it. A mapping has at most one such member, in any place.
    ///
    /// The words are not encrypted: the fields must not contain texts of sealed columns, see ``unsealed``.
    ///
    /// A root stores up to 1,000 distinct words, each with the sum of the weights of its fields, as ``WordText`` in a
    /// list with the schema `<entity>_<name>`. A store that is older than the member computes the words when it is opened.
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - fields: The searched texts; words of earlier fields take precedence if there are too many.
    public static func search(_ name: String, _ fields: [SearchField<E>]) -> MappedMember where E: Entity {
        MappedMember(\E.self, .search(name, fields))
    }

    /// Inlined, so that the closure is specialized for the types and the key path of a mapper in another module.
    @inlinable @inline(__always)
    static func column<V: ColumnValue>(
        _ name: String, _ keyPath: any KeyPath<E, V> & Sendable, defaultValue: Value? = nil, isDerived: Bool = false,
        reference: Reference? = nil, sealing: Sealing? = nil
    ) -> MappedMember {
        let column = Column(
            name: name, type: V.columnType, isNullable: V.isNullable, defaultValue: defaultValue, isDerived: isDerived,
            reference: reference, sealing: sealing)
        let property = PropertyReader(keyPath)
        return MappedMember(
            keyPath,
            .column(
                column, { (entity) throws(ValueRefusal) in try property(entity).columnValue() },
                { property($0).isSame(as: $1) }, { property($0).isStored(as: property($1)) }))
    }
}
