public import LarderDomain

/// A Boolean expression over a storage object: a closed tree over the members of one schema, to which every `Predicate`
/// is lowered once. Stores translate it, or evaluate ``Condition/holds(for:)``.
///
/// It is either true or false, and `not` negates. `null` equals `null`, also between two columns, and differs from
/// every value. An undefined comparison is false, also for `!=`: on integer overflow, on division by zero, and for less
/// or greater with `null`. Values compare as in ``Value``: texts by the UTF-8 bytes of their NFC form, never by
/// characters, case or locale.
public indirect enum Condition: Hashable, Sendable {
    /// A constant.
    case always(Bool)
    /// A comparison of two operands.
    case compare(Operand, Comparison, Operand)
    /// The operand's value is in a set of any size, including none; `null` matches a `null` in the set.
    case isIn(Operand, Set<Value>)
    /// The UTF-8 bytes of the text contain those of the argument, so that a letter matches before a combining mark, and
    /// a line feed within CR LF. True for the empty text, false for `null`; there are no wildcards.
    case contains(Operand, String)
    /// The UTF-8 bytes of the text start with those of the argument; true for the empty text, false for `null`.
    case hasPrefix(Operand, String)
    /// The list of links contains the id at least once.
    case links(relationship: Int, id: RawID)
    /// At least one object of the owned list satisfies a condition over its schema; false for an empty list.
    case anyChild(relationship: Int, Condition)
    /// Conjunction, true if empty. Two conditions on an owned list may be satisfied by two different objects.
    case and([Condition])
    /// Disjunction, false if empty.
    case or([Condition])
    /// Negation.
    case not(Condition)
}

/// A comparison operator.
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

/// An expression with a value.
public indirect enum Operand: Hashable, Sendable {
    /// A constant from the query.
    case literal(Value)
    /// The object's id.
    case id
    /// The value of a column.
    case column(Int)
    /// The length of a list of links.
    case linkCount(Int)
    /// The length of a list of owned objects.
    case childCount(Int)
    /// The sum of an integer column, which is not nullable, over the objects of an owned list that satisfy a condition; 0
    /// without any. The sum must not overflow.
    case childSum(relationship: Int, column: Int, where: Condition)
    /// The first value, or the second if the first is `null`; undefined if the first is undefined.
    case coalesce(Operand, Operand)
    /// Arithmetic on two numbers of one type; undefined if an operand is `null` or undefined, or the operation is.
    case arithmetic(Operand, Arithmetic, Operand)
}

/// An arithmetic operator. Integers have 64 bits, and overflow is undefined. Reals overflow to infinity; NaN is
/// undefined.
public enum Arithmetic: String, Hashable, Sendable {
    /// The sum.
    case add = "+"
    /// The difference.
    case subtract = "-"
    /// The product.
    case multiply = "*"
    /// The quotient, for integers rounded towards zero. Undefined for division by zero, integer or real, and for the
    /// smallest integer divided by -1.
    case divide = "/"
    /// The remainder of an integer division, with the sign of the dividend; 0 for the divisor -1, also for the smallest
    /// integer. Undefined for the divisor 0, and for reals.
    case remainder = "%"
}
