public import LarderDomain

/// What a query asks of a storage object: a closed tree over the members of one schema, to which every `Predicate` is
/// lowered once. Stores translate it, or ask ``Condition/holds(for:)``.
///
/// It has two values, true and false, and `not` swaps them. `null` equals `null`, also where two columns are compared, and
/// differs from every value. A comparison without an answer is false, also `!=`: an integer overflows, a number is
/// divided by zero, or `null` is less or greater than something. Values are compared as ``Value`` says: texts by the
/// UTF-8 bytes of their NFC form, never by characters, case or locale.
public indirect enum Condition: Hashable, Sendable {
    /// True or false whatever the object.
    case always(Bool)
    /// Two operands compared.
    case compare(Operand, Comparison, Operand)
    /// The value equals one of these, of which there may be none or any number; `null` is found by a `null` among them.
    case isIn(Operand, Set<Value>)
    /// The UTF-8 bytes of the text contain those of this one, so a letter is found before a combining mark, and a line feed
    /// within CR LF; true for the empty text, false for `null`. No character is special.
    case contains(Operand, String)
    /// The UTF-8 bytes of the text begin with those of this one; true for the empty text, false for `null`.
    case hasPrefix(Operand, String)
    /// The list of links contains the id, once or more.
    case links(relationship: Int, id: RawID)
    /// At least one object of this owned list satisfies a condition over its own schema; false for an empty list.
    case anyChild(relationship: Int, Condition)
    /// All of them; true for none. Two conditions on an owned list may be satisfied by two objects of it.
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
    /// The first, unless it is `null`; then the second. A first without an answer has no answer.
    case coalesce(Operand, Operand)
    /// Two numbers of one type; without an answer where one of them is `null` or the operation has none.
    case arithmetic(Operand, Arithmetic, Operand)
}

/// How two numbers become one. Integers have 64 bits and no answer on overflow. Reals overflow to infinity, and have no answer
/// where that is not a number.
public enum Arithmetic: String, Hashable, Sendable {
    /// The sum.
    case add = "+"
    /// The difference.
    case subtract = "-"
    /// The product.
    case multiply = "*"
    /// The quotient; of integers, rounded towards zero. No answer for a divisor of zero, integer or real, and for the
    /// smallest integer divided by -1.
    case divide = "/"
    /// The remainder of an integer division, with the sign of the first; 0 for a divisor of -1, also of the smallest
    /// integer. No answer for a divisor of zero, and for reals.
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
