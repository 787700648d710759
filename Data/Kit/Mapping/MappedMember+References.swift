public import LarderDomain

extension MappedMember {
    /// The id of another root, which the type of the id names.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - keyPath: The property.
    ///   - onDelete: The effect on this entity when the other root is deleted.
    ///   - owned: Whether the other root is deleted with this entity, or when this entity no longer refers to it.
    @inlinable @inline(__always)
    public static func reference<Target: Entity>(
        _ name: String, _ keyPath: any KeyPath<E, EntityID<Target>> & Sendable, onDelete: DeleteRule,
        owned: Bool = false
    ) -> MappedMember {
        reference(name, keyPath, to: Target.entityName, onDelete: onDelete, owned: owned)
    }

    /// The id of another root, which the type of the id names, or `nil`.
    @inlinable @inline(__always)
    public static func reference<Target: Entity>(
        _ name: String, _ keyPath: any KeyPath<E, EntityID<Target>?> & Sendable, onDelete: DeleteRule,
        owned: Bool = false
    ) -> MappedMember {
        reference(name, keyPath, to: Target.entityName, onDelete: onDelete, owned: owned)
    }

    /// The id of another root, or `nil`, whose type is not known where this mapping is declared.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - keyPath: The property.
    ///   - target: The name of the other root's schema.
    ///   - onDelete: The effect on this entity when the other root is deleted.
    ///   - owned: Whether the other root is deleted with this entity, or when this entity no longer refers to it.
    @inlinable @inline(__always)
    public static func reference<V: ColumnValue>(
        _ name: String, _ keyPath: any KeyPath<E, V> & Sendable, to target: String, onDelete: DeleteRule,
        owned: Bool = false
    ) -> MappedMember {
        column(name, keyPath, reference: Reference(target: target, onDelete: onDelete, isOwning: owned))
    }

    /// An ordered list of ids of other roots, which the type of the ids names.
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - keyPath: The property.
    ///   - onDelete: With `remove`, the deletion of another root removes its id from the list.
    @inlinable @inline(__always) public static func links<Target: Entity>(
        _ name: String, _ keyPath: any KeyPath<E, [EntityID<Target>]> & Sendable, onDelete: DeleteRule
    ) -> MappedMember where E: Entity {
        let property = PropertyReader(keyPath)
        let encode: LinksEncoder = { property($0).map { $0.rawValue } }
        let compare: ListComparer = { entity, row, list in
            let ids = property(entity)
            let links = row.list(list)
            return links.count == ids.count
                && ids.indices.allSatisfy {
                    row.owned(links.lowerBound + $0, columnCount: 0).id == ids[$0].rawValue
                }
        }
        let relationship = LinkRelationship(name: name, target: Target.entityName, onDelete: onDelete)
        return MappedMember(keyPath, .links(relationship, encode, compare, { encode($0) == encode($1) }))
    }

    /// An ordered list of ids of other roots.
    @available(*, deprecated, message: "omit 'to', which is the type of the ids")
    @inlinable @inline(__always) public static func links<Target: Entity>(
        _ name: String, _ keyPath: any KeyPath<E, [EntityID<Target>]> & Sendable, to target: String,
        onDelete: DeleteRule
    ) -> MappedMember where E: Entity {
        links(name, keyPath, onDelete: onDelete)
    }
}
