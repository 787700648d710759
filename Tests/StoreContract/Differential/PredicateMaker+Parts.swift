#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

/// The nodes of predicates: one function each, with type-erased results.
enum Parts {
    typealias Node<Output> = StandardPredicateExpression<Output>
    typealias Truth = any StandardPredicateExpression<Bool>
    private typealias Build = PredicateExpressions

    static func member<V>(
        _ row: PredicateExpressions.Variable<Specimen>, _ path: SpecimenPath<V>
    ) -> any Node<V> { Build.build_KeyPath(root: row, keyPath: path) }

    static func unwrapped<V>(_ inner: some Node<V?>) -> any Node<V> { Build.build_ForcedUnwrap(inner) }

    static func orElse<V>(_ one: some Node<V?>, _ other: some Node<V>) -> any Node<V> {
        Build.build_NilCoalesce(lhs: one, rhs: other)
    }

    static func and(_ one: some Node<Bool>, _ other: some Node<Bool>) -> Truth {
        Build.build_Conjunction(lhs: one, rhs: other)
    }

    static func or(_ one: some Node<Bool>, _ other: some Node<Bool>) -> Truth {
        Build.build_Disjunction(lhs: one, rhs: other)
    }

    static func not(_ inner: some Node<Bool>) -> Truth { Build.build_Negation(inner) }

    static func equal<V: Equatable>(_ one: some Node<V>, _ relation: Relation, _ other: some Node<V>) -> Truth {
        relation == .equal ? Build.build_Equal(lhs: one, rhs: other) : Build.build_NotEqual(lhs: one, rhs: other)
    }

    static func compare<V: Comparable>(_ one: some Node<V>, _ relation: Relation, _ other: some Node<V>) -> Truth {
        switch relation {
        case .less: Build.build_Comparison(lhs: one, rhs: other, op: .lessThan)
        case .lessOrEqual: Build.build_Comparison(lhs: one, rhs: other, op: .lessThanOrEqual)
        case .greater: Build.build_Comparison(lhs: one, rhs: other, op: .greaterThan)
        default: Build.build_Comparison(lhs: one, rhs: other, op: .greaterThanOrEqual)
        }
    }

    static func among<V: Equatable & Codable & Sendable>(_ values: [V], _ element: some Node<V>) -> Truth {
        Build.build_contains(Build.build_Arg(values), element)
    }

    static func within<V: Comparable & Codable & Sendable>(_ range: Range<V>, _ element: some Node<V>) -> Truth {
        Build.build_contains(Build.build_Arg(range), element)
    }

    static func within<V: Comparable & Codable & Sendable>(_ range: ClosedRange<V>, _ element: some Node<V>) -> Truth {
        Build.build_contains(Build.build_Arg(range), element)
    }

    static func contains(_ text: some Node<String>, _ part: some Node<String>) -> Truth {
        Build.build_contains(text, part)
    }

    static func begins(_ text: some Node<String>, _ part: some Node<String>) -> Truth {
        Build.build_starts(text, with: part)
    }

    static func isEmpty(_ text: some Node<String>) -> Truth {
        Build.build_KeyPath(root: text, keyPath: \String.isEmpty)
    }

    static func chained<V: Comparable & Codable & Sendable>(
        _ optional: some Node<V?>, _ relation: Relation, _ other: V, _ otherwise: Bool
    ) -> Truth {
        let other = Build.build_Arg(other)
        func or(_ chain: some Node<Bool?>) -> Truth {
            Build.build_NilCoalesce(lhs: chain, rhs: Build.build_Arg(otherwise))
        }
        return switch relation {
        case .equal: or(Build.build_flatMap(optional) { Build.build_Equal(lhs: $0, rhs: other) })
        case .notEqual: or(Build.build_flatMap(optional) { Build.build_NotEqual(lhs: $0, rhs: other) })
        case .less: or(Build.build_flatMap(optional) { Build.build_Comparison(lhs: $0, rhs: other, op: .lessThan) })
        case .lessOrEqual:
            or(Build.build_flatMap(optional) { Build.build_Comparison(lhs: $0, rhs: other, op: .lessThanOrEqual) })
        case .greater:
            or(Build.build_flatMap(optional) { Build.build_Comparison(lhs: $0, rhs: other, op: .greaterThan) })
        case .greaterOrEqual:
            or(Build.build_flatMap(optional) { Build.build_Comparison(lhs: $0, rhs: other, op: .greaterThanOrEqual) })
        }
    }

    static func whole(_ one: some Node<Int64>, _ sum: Sum, _ other: some Node<Int64>) -> any Node<Int64> {
        switch sum {
        case .by: Build.build_Division(lhs: one, rhs: other)
        case .remainder: Build.build_Remainder(lhs: one, rhs: other)
        default: arithmetic(one, sum, other)
        }
    }

    static func real(_ one: some Node<Double>, _ sum: Sum, _ other: some Node<Double>) -> any Node<Double> {
        sum == .by ? Build.build_Division(lhs: one, rhs: other) : arithmetic(one, sum, other)
    }

    /// A sum, difference or product.
    static func arithmetic<V: Numeric & Codable & Sendable>(
        _ one: some Node<V>, _ sum: Sum, _ other: some Node<V>
    ) -> any Node<V> {
        switch sum {
        case .minus: Build.build_Arithmetic(lhs: one, rhs: other, op: .subtract)
        case .times: Build.build_Arithmetic(lhs: one, rhs: other, op: .multiply)
        default: Build.build_Arithmetic(lhs: one, rhs: other, op: .add)
        }
    }
}
