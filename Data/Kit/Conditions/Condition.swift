public import LarderDomain

/// A Boolean expression over a storage object: a closed tree over the members of one schema, to which every `Predicate`
/// is lowered once. Stores translate it, or evaluate ``Condition/holds(for:)``.
///
/// It is either true or false, and `not` negates [condition.1]. `null` equals `null`, also between two columns
/// [condition.2], and differs from every value [condition.3]. An undefined comparison is false, also for `!=`: on
/// integer overflow [condition.4], on division by zero [condition.5], and for less or greater with `null`
/// [condition.6]. Values compare as in ``Value`` [condition.7]: texts by the UTF-8 bytes of their NFC form, never by
/// characters, case or locale [condition.8].
public indirect enum Condition: Hashable, Sendable {
    /// A constant [condition.20].
    case always(Bool)
    /// A comparison of two operands [condition.9].
    case compare(Operand, Comparison, Operand)
    /// The operand's value is in a set of any size, including none [condition.10]; `null` matches a `null` in the set
    /// [condition.11].
    case isIn(Operand, Set<Value>)
    /// The UTF-8 bytes of the text contain those of the argument, so that a letter matches before a combining mark, and
    /// a line feed within CR LF [condition.12]. True for the empty text, false for `null`; there are no wildcards
    /// [condition.13].
    case contains(Operand, String)
    /// The UTF-8 bytes of the text start with those of the argument; true for the empty text, false for `null`
    /// [condition.14].
    case hasPrefix(Operand, String)
    /// The list of links contains the id at least once [condition.15].
    case links(relationship: Int, id: RawID)
    /// At least one object of the owned list satisfies a condition over its schema; false for an empty list
    /// [condition.16].
    case anyChild(relationship: Int, Condition)
    /// A root of another schema, to which this one refers or which refers to it, satisfies a condition over its schema
    /// [condition.21]; false for a reference that is `null` [condition.22]. Only of roots, and only for stores with
    /// ``Capability/semiJoins``: for others, the ids are read first.
    case related(RelatedRoots, Condition)
    /// Conjunction, true if empty [condition.17]. Two conditions on an owned list may be satisfied by two different
    /// objects [condition.18].
    case and([Condition])
    /// Disjunction, false if empty [condition.19].
    case or([Condition])
    /// Negation.
    case not(Condition)
}

/// A comparison operator.
public enum Comparison: String, Hashable, Sendable {
    /// The same value, or both `null` [comparison.1].
    case equal = "="
    /// Different values, or one of them `null` [comparison.2].
    case notEqual = "!="
    /// Smaller; false with `null` [comparison.3].
    case less = "<"
    /// Smaller or the same; false with `null` [comparison.4].
    case lessOrEqual = "<="
    /// Greater; false with `null` [comparison.5].
    case greater = ">"
    /// Greater or the same; false with `null` [comparison.6].
    case greaterOrEqual = ">="
}

/// An expression with a value.
public indirect enum Operand: Hashable, Sendable {
    /// A constant from the query.
    case literal(Value)
    /// The object's id; of the owned object in a condition on it [operand.1].
    case id
    /// The value of a column [operand.2].
    case column(Int)
    /// The length of a list of links [operand.3].
    case linkCount(Int)
    /// The length of a list of owned objects [operand.4].
    case childCount(Int)
    /// The sum of an integer column, which is not nullable, over the objects of an owned list that satisfy a condition
    /// [operand.5]; 0 without any [operand.6]. The sum must not overflow.
    case childSum(relationship: Int, column: Int, where: Condition)
    /// The sum of the weights of the words in the first column of an owned list, a text in the form of ``WordText``, whose
    /// entries start with any of the texts, each word once [operand.21]; 0 without any [operand.22].
    case rank(relationship: Int, [String])
    /// The first value, or the second if the first is `null` [operand.7]; undefined if the first is undefined
    /// [operand.8].
    case coalesce(Operand, Operand)
    /// Arithmetic on two numbers of one type; undefined if an operand is `null` or undefined, or the operation is
    /// [operand.9].
    case arithmetic(Operand, Arithmetic, Operand)
}

/// An arithmetic operator. Integers have 64 bits, and overflow is undefined [operand.10]. Reals overflow to infinity
/// [operand.11]; NaN is undefined [operand.12].
public enum Arithmetic: String, Hashable, Sendable {
    /// The sum [operand.18].
    case add = "+"
    /// The difference [operand.19].
    case subtract = "-"
    /// The product [operand.20].
    case multiply = "*"
    /// The quotient, for integers rounded towards zero [operand.13]. Undefined for division by zero, integer or real,
    /// and for the smallest integer divided by -1 [operand.14].
    case divide = "/"
    /// The remainder of an integer division, with the sign of the dividend [operand.15]; 0 for the divisor -1, also for
    /// the smallest integer [operand.16]. Undefined for the divisor 0 [operand.17], and for reals.
    case remainder = "%"
}
