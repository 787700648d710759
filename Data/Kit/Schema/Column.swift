/// One column of a schema.
public struct Column: Hashable, Sendable {
    /// The name in the store: lower case with underscores.
    public internal(set) var name: String
    /// The type of the values.
    public let type: ColumnType
    /// The digits after the point of the decimals that a column of integers stores as units; `nil` for other columns.
    public let scale: Int?
    /// Whether `null` is allowed.
    public internal(set) var isNullable: Bool
    /// The value for rows written before the column existed; required for a new column that is not nullable.
    public internal(set) var defaultValue: Value?
    /// Whether mapping derives the column from others: it is written and queried, but not read back.
    public internal(set) var isDerived: Bool
    /// The target and delete rule of a foreign key; `nil` for other columns.
    public let reference: Reference?
    /// The form in which a `SealedStore` stores the values; `nil` for values that every store may see.
    public internal(set) var sealing: Sealing?

    /// Creates a column; usually done by ``Mapping``. By default, it is not nullable.
    public init(
        name: String, type: ColumnType, isNullable: Bool = false, defaultValue: Value? = nil, isDerived: Bool = false,
        reference: Reference? = nil, sealing: Sealing? = nil, scale: Int? = nil
    ) {
        (self.name, self.type, self.isNullable, self.sealing) = (name, type, isNullable, sealing)
        self.scale = scale
        (self.defaultValue, self.isDerived, self.reference) = (defaultValue, isDerived, reference)
    }

    /// The column as it is read, although it may be derived.
    var selected: Column {
        var column = self
        column.isDerived = false
        return column
    }

    /// The type in records and messages: `text`, `decimal(2)`.
    package var typeName: String { ColumnType.name(type, scale: scale) }

    /// Whether a value has the column's type, or is `null` in a nullable column.
    package func accepts(_ value: Value) -> Bool { value == .null ? isNullable : type.accepts(value) }
}

/// A foreign key: the id of another entity.
public struct Reference: Hashable, Sendable {
    /// The name of the referenced schema, which must be a root.
    public let target: String
    /// The effect on the referring entity when the target is deleted.
    public let onDelete: DeleteRule
    /// Whether the referring entity owns the target, which is deleted with it and when the reference changes.
    public let isOwning: Bool

    /// Creates a foreign key to a root schema; by default, it does not own the target.
    public init(target: String, onDelete: DeleteRule, isOwning: Bool = false) {
        (self.target, self.onDelete, self.isOwning) = (target, onDelete, isOwning)
    }
}

/// The effect of a deletion on an entity that refers to the deleted one.
public enum DeleteRule: String, Hashable, Sendable {
    /// Deletes the entity too.
    case cascade
    /// Removes the reference: sets the column to `null`, or removes the link from its list.
    case remove
    /// Refuses the deletion.
    case refuse
}
