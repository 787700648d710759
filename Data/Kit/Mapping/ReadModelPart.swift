public import LarderDomain

/// A part of an entity in a read model.
public struct ReadModelPart<E: Entity>: Sendable {
    /// Adds the columns, and the operands with their values.
    let add: @Sendable (Mapping<E>, inout [Column], inout [Operand]) throws(PersistencyError) -> Void

    /// A stored property, also a derived one or a part of a value object; read with `next()` or `decimal()`.
    public static func column<V>(_ keyPath: any KeyPath<E, V> & Sendable) -> ReadModelPart {
        ReadModelPart { (mapping, columns, operands) throws(PersistencyError) in
            try mapping.add(keyPath, &columns, &operands)
        }
    }

    /// A value object; read with `value(_:)`.
    public static func value<Mapper: ValueMapper>(
        _ keyPath: any KeyPath<E, Mapper.Model> & Sendable, _ mapper: Mapper.Type
    ) -> ReadModelPart {
        parts(of: keyPath, Mapper.mapping)
    }

    /// An optional value object; read with `valueIfPresent(_:)`.
    public static func value<Mapper: ValueMapper>(
        _ keyPath: any KeyPath<E, Mapper.Model?> & Sendable, _ mapper: Mapper.Type
    ) -> ReadModelPart {
        parts(of: keyPath, Mapper.mapping, hasPresence: Mapper.mapping.requiredColumn == nil)
    }

    /// The number of objects in a list of owned objects, or of ids in a list of links.
    public static func count<Member>(_ keyPath: any KeyPath<E, [Member]> & Sendable) -> ReadModelPart {
        ReadModelPart { (mapping, columns, operands) throws(PersistencyError) in
            switch mapping.keyPaths[keyPath] {
            case .children(let list, _): operands.append(.childCount(list))
            case .links(let list): operands.append(.linkCount(list))
            default: throw mapping.lacks(keyPath)
            }
            columns.append(Column(name: "column \(columns.count)", type: .integer))
        }
    }

    /// The sum of an integer property, which is not optional, of the objects in a list; it must not overflow.
    public static func sum<Member: Entity>(
        _ list: any KeyPath<E, [Member]> & Sendable, _ keyPath: any KeyPath<Member, Int> & Sendable
    ) -> ReadModelPart {
        ReadModelPart { (mapping, columns, operands) throws(PersistencyError) in
            guard case .children(let list, let members) = mapping.keyPaths[list],
                case .column(let column, nil) = members[keyPath]
            else { throw mapping.lacks(keyPath) }
            operands.append(.childSum(relationship: list, column: column, where: .always(true)))
            columns.append(Column(name: "column \(columns.count)", type: .integer))
        }
    }

    private static func parts<V>(
        of value: any AnyKeyPath & Sendable, _ valueMapping: ValueMapping<V>, hasPresence: Bool = false
    ) -> ReadModelPart {
        let paths = valueMapping.columns.filter { !$0.isDerived }.compactMap { value.joined($0.keyPath) }
        return ReadModelPart { (mapping, columns, operands) throws(PersistencyError) in
            for path in (hasPresence ? [value] : []) + paths { try mapping.add(path, &columns, &operands) }
        }
    }
}

extension Mapping {
    fileprivate func add(
        _ keyPath: AnyKeyPath, _ columns: inout [Column], _ operands: inout [Operand]
    ) throws(PersistencyError) {
        switch keyPaths[keyPath] {
        case .column(let index, _), .value(let index):
            columns.append(schema.columns[index].selected)
            operands.append(.column(index))
        default: throw lacks(keyPath)
        }
    }

    fileprivate func lacks(_ keyPath: AnyKeyPath) -> PersistencyError {
        .incompatible("a read model of \(schema.name) has \(keyPath.displayName), which is not stored so")
    }
}
