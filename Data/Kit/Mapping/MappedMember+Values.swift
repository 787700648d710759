internal import LarderDomain

extension MappedMember {
    /// A value object, in columns whose names start with this one: `address_city`.
    ///
    /// - Parameters:
    ///   - name: The prefix of the columns, without the underscore.
    ///   - keyPath: The property.
    ///   - mapper: The mapper of the value object.
    @inlinable
    public static func value<Mapper: ValueMapper>(
        _ name: String, _ keyPath: any KeyPath<E, Mapper.Model> & Sendable, _ mapper: Mapper.Type
    ) -> MappedMember {
        let property = ValueProperty.required(PropertyReader(keyPath))
        return MappedMember(keyPath, .value(name, Mapper.mapping.columns.map { $0.part(of: property, name) }))
    }

    /// A value object that may be absent: then, all its columns are null.
    ///
    /// A value object whose members are all optional has an additional column, with the name of the value object, that
    /// is null only if the value object is absent [part.2]. A default of a column applies only to required value objects:
    /// in rows that were written before a column was declared, it is null.
    @inlinable
    public static func value<Mapper: ValueMapper>(
        _ name: String, _ keyPath: any KeyPath<E, Mapper.Model?> & Sendable, _ mapper: Mapper.Type
    ) -> MappedMember {
        let property = ValueProperty.optional(PropertyReader(keyPath))
        var columns = Mapper.mapping.columns.map { $0.part(of: property, name) }
        if let required = Mapper.mapping.requiredColumn {
            columns[required].presentValues.append(keyPath)
        } else {
            columns.insert(presence(of: property, name), at: 0)
        }
        return MappedMember(keyPath, .value(name, columns))
    }

    /// The column that is null only where a value object is absent.
    @inlinable
    static func presence<V>(of property: ValueProperty<E, V>, _ name: String) -> MappedMember {
        var member = MappedMember(
            property.keyPath,
            .column(
                Column(name: name, type: .integer, isNullable: true),
                { (entity) throws(ValueRefusal) in property.lend(entity) { $0 == nil ? .null : .integer(1) } },
                { entity, cell in
                    property.lend(entity) { value in value == nil ? cell.isNull : true.isSame(as: cell) }
                },
                { entity, other in
                    property.lend(entity) { value in property.lend(other) { ($0 == nil) == (value == nil) } }
                }))
        member.presentValues = [property.keyPath]
        return member
    }

    /// The column of an entity that stores this column of a value object.
    @inlinable
    func part<Whole: Sendable>(of property: ValueProperty<Whole, E>, _ name: String) -> MappedMember<Whole> {
        guard case .column(let column, let encode, let compare, let isSame) = kind else { return .refused(name) }
        var part = MappedMember<Whole>(
            keyPath(in: property.keyPath),
            .column(
                column.part(of: name, isOptional: property.isOptional),
                { (whole) throws(ValueRefusal) in
                    try property.lend(whole) { (value) throws(ValueRefusal) in
                        if let value { try encode(value) } else { .null }
                    }
                },
                { whole, cell in property.lend(whole) { value in value.map { compare($0, cell) } ?? cell.isNull } },
                { whole, other in
                    property.lend(whole) { value in
                        property.lend(other) { otherValue in
                            guard let value, let otherValue else { return value == nil && otherValue == nil }
                            return isSame(value, otherValue)
                        }
                    }
                }))
        part.inherit(self, in: property.keyPath, name)
        part.validValues = property.isOptional ? nil : validValues
        return part
    }

    /// The key path in an entity that has the value object at a key path.
    @usableFromInline
    func keyPath(in value: AnyKeyPath) -> any AnyKeyPath & Sendable { value.joined(keyPath) ?? keyPath }

    @usableFromInline
    mutating func inherit<V>(_ column: MappedMember<V>, in value: AnyKeyPath, _ name: String) {
        func prefixed(_ names: [String]) -> [String] { names.map { "\(name)_\($0)" } }
        (uniques, indexes) = (column.uniques.map(prefixed), column.indexes.map(prefixed))
        (isOwner, isSealedWithOthers, isUnsealed) = (column.isOwner, column.isSealedWithOthers, column.isUnsealed)
        (formerNames, presentValues) = (prefixed(column.formerNames), column.presentValues.compactMap(value.joined))
    }

    /// The columns and lists that the member declares.
    var parts: [MappedMember] {
        guard case .value(let name, var columns) = kind else { return preceding + [self] }
        for index in columns.indices {
            let names = ([columns[index].name] + columns[index].formerNames).map { $0.dropFirst(name.count) }
            let formerNames = ([name] + formerNames).flatMap { prefix in
                names.map { prefix.isEmpty ? String($0.dropFirst()) : prefix + $0 }
            }
            columns[index].formerNames = formerNames.dropFirst().filter { !$0.isEmpty }
            if isSealedWithOthers { columns[index].isSealedWithOthers = true }
            if isUnsealed { columns[index].isUnsealed = true }
        }
        if let first = columns.indices.first {
            columns[first].uniques += uniques
            columns[first].indexes += indexes
        }
        return columns
    }

    /// A column that the check of the schema set refuses, because a derived column has no default.
    @usableFromInline
    static func refused(_ name: String) -> MappedMember {
        let column = Column(name: name, type: .text, defaultValue: .integer(0), isDerived: true)
        return MappedMember(\E.self, .column(column, { _ in .null }, { _, _ in false }, { _, _ in false }))
    }

    /// The names of the columns that are not derived.
    var columnNames: [String] {
        guard case .value(_, let columns) = kind else { return [name] }
        return columns.filter { !$0.isDerived }.map(\.name)
    }

    private var column: Column? { if case .column(let column, _, _, _) = kind { column } else { nil } }

    @usableFromInline var isNullable: Bool { column?.isNullable ?? false }

    @usableFromInline var isDerived: Bool { column?.isDerived ?? false }
}

extension Column {
    /// The column of a value object in an entity.
    @usableFromInline
    func part(of name: String, isOptional: Bool) -> Column {
        var part = self
        part.name = "\(name)_\(self.name)"
        guard isOptional else { return part }
        // The check of the schema set refuses to remove a reference without which the value object cannot be read.
        part.isNullable = isNullable || reference?.onDelete != .remove
        // The default would create a value object without its other members.
        part.defaultValue = nil
        return part
    }
}
