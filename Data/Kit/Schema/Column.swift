/// One column of a schema.
public struct Column: Hashable, Sendable {
    /// The name in the store: lower case with underscores.
    public let name: String
    /// What it holds.
    public let type: ColumnType
    /// Whether it may be `null`.
    public let isNullable: Bool
    /// The value that rows written before the column existed get; needed for a new column that is not nullable.
    public let defaultValue: Value?
    /// Whether mapping derives it from other columns, so that it is written and queried but not read back.
    public let isDerived: Bool
    /// Where it is the id of another entity: of which, and what happens when that is deleted.
    public let reference: Reference?

    public init(
        name: String, type: ColumnType, isNullable: Bool = false, defaultValue: Value? = nil, isDerived: Bool = false,
        reference: Reference? = nil
    ) {
        (self.name, self.type, self.isNullable) = (name, type, isNullable)
        (self.defaultValue, self.isDerived, self.reference) = (defaultValue, isDerived, reference)
    }
}

/// A column that is the id of another entity.
public struct Reference: Hashable, Sendable {
    /// The name of the schema referred to; that of a root.
    public let target: String
    /// What happens to the referring entity when the target is deleted.
    public let onDelete: DeleteRule
    /// Whether the referring entity owns the target: it is deleted with it, and when another takes its place.
    public let isOwning: Bool

    public init(target: String, onDelete: DeleteRule, isOwning: Bool = false) {
        (self.target, self.onDelete, self.isOwning) = (target, onDelete, isOwning)
    }
}

/// What happens to an entity that refers to a deleted one.
public enum DeleteRule: String, Hashable, Sendable {
    /// The entity is deleted too.
    case cascade
    /// The reference goes: a column becomes `null`, a link is taken out of its list.
    case remove
    /// The deletion is refused.
    case refuse
}
