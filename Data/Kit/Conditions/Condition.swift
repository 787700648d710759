public import LarderDomain

/// What a query asks of a storage object: a closed tree over the members of one schema, to which every `Predicate` is
/// lowered once. Stores translate it, or ask ``Condition/holds(for:)``.
///
/// It has two values, true and false. A comparison that has no answer (an integer overflows, a number is divided by
/// zero, `null` is less or greater than something) is false; `null` equals `null`.
public indirect enum Condition: Hashable, Sendable {
    /// True or false whatever the object.
    case always(Bool)
    /// Two operands compared.
    case compare(Operand, Comparison, Operand)
    /// The value is one of these.
    case isIn(Operand, [Value])
    /// The text contains this one, byte for byte; false for `null`.
    case contains(Operand, String)
    /// The text begins with this one, byte for byte; false for `null`.
    case hasPrefix(Operand, String)
    /// A list of links holds the id.
    case links(relationship: Int, id: RawID)
    /// Some object of an owned list satisfies a condition over its own schema.
    case anyChild(relationship: Int, Condition)
    /// All of them; true for none.
    case and([Condition])
    /// At least one of them; false for none.
    case or([Condition])
    /// The opposite.
    case not(Condition)
}

/// How two operands are compared.
public enum Comparison: String, Hashable, Sendable {
    /// The same value, or both `null`.
    case equal = "="
    /// Different values, or one of them `null`.
    case notEqual = "!="
    /// Smaller; false with `null`.
    case less = "<"
    /// Smaller or the same; false with `null`.
    case lessOrEqual = "<="
    /// Greater; false with `null`.
    case greater = ">"
    /// Greater or the same; false with `null`.
    case greaterOrEqual = ">="
}

/// A value within a condition.
public indirect enum Operand: Hashable, Sendable {
    /// A value that the query brings.
    case literal(Value)
    /// The object's id.
    case id
    /// A column.
    case column(Int)
    /// The length of a list of links.
    case linkCount(Int)
    /// The length of a list of owned objects.
    case childCount(Int)
    /// The first, unless it is `null`; then the second.
    case coalesce(Operand, Operand)
    /// Two numbers of one type; neither is ever `null` but where the operation has no answer.
    case arithmetic(Operand, Arithmetic, Operand)
}

/// How two numbers become one.
public enum Arithmetic: String, Hashable, Sendable {
    /// The sum.
    case add = "+"
    /// The difference.
    case subtract = "-"
    /// The product.
    case multiply = "*"
    /// The quotient; of integers, rounded towards zero.
    case divide = "/"
    /// What remains of an integer division, with the sign of the first.
    case remainder = "%"
}

extension Operand {
    /// Whether the operand can have no answer.
    public var isPartial: Bool {
        switch self {
        case .literal, .id, .column, .linkCount, .childCount: false
        case .coalesce(let first, let second): first.isPartial || second.isPartial
        case .arithmetic: true
        }
    }
}
