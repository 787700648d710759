#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderData
internal import LarderDomain

/// Builds the tree that `#Predicate` would build for a condition, so that tests cover lowering with arbitrary
/// conditions.
///
/// `nil` means that Swift has no such predicate: Swift does not order Booleans, and compares only optionals with `nil`.
struct PredicateMaker {
    typealias Expression<Output> = any StandardPredicateExpression<Output>

    let row: PredicateExpressions.Variable<Specimen>

    static func predicate(_ question: PlainQuestion) -> Predicate<Specimen>? {
        var isPossible = true
        let predicate = Predicate<Specimen> { row in
            guard let expression = PredicateMaker(row: row).truth(question) else {
                isPossible = false
                return PredicateExpressions.build_Arg(false)
            }
            return expression
        }
        return isPossible ? predicate : nil
    }

    private func truth(_ question: PlainQuestion) -> Expression<Bool>? {
        switch question {
        case .compare(let lhs, let relation, let rhs): compare(lhs, relation, rhs)
        case .isAmong(let term, let values):
            switch term.kind {
            case .integer: among(term, values, Int64.self)
            case .real: among(term, values, Double.self)
            case .decimal: among(term, values, ExactDecimal.self)
            case .text: among(term, values, String.self)
            case .flag: among(term, values, Bool.self)
            case .instant: among(term, values, Timestamp.self)
            case .day: among(term, values, CalendarDay.self)
            case .bytes: among(term, values, [UInt8].self)
            case .id: term.isID ? among(term, values, EntityID<Specimen>.self) : among(term, values, RawID.self)
            }
        case .contains(let text, let part):
            joined(value(text, String.self), value(part, String.self)) { Parts.contains($0, $1) }
        case .begins(let text, let part):
            joined(value(text, String.self), value(part, String.self)) { Parts.begins($0, $1) }
        case .isEmpty(let text): value(text, String.self).map { Parts.isEmpty($0) }
        case .isWithin(let term, let from, let to, let isClosed): within(term, from, to, isClosed)
        case .chained(let property, let relation, let other, let otherwise):
            chained(property, relation, other, otherwise)
        case .all(let parts):
            folded(parts, or: true) { Parts.and($0, $1) }
        case .any(let parts):
            folded(parts, or: false) { Parts.or($0, $1) }
        case .not(let inner): truth(inner).map { Parts.not($0) }
        }
    }

    private func folded(
        _ parts: [PlainQuestion], or empty: Bool, by join: (Expression<Bool>, Expression<Bool>) -> Expression<Bool>
    ) -> Expression<Bool>? {
        let expressions = parts.compactMap { truth($0) }
        guard expressions.count == parts.count else { return nil }
        guard let first = expressions.first else { return PredicateExpressions.build_Arg(empty) }
        return expressions.dropFirst().reduce(first, join)
    }

    private func joined<A, B>(
        _ one: Expression<A>?, _ other: Expression<B>?, by join: (Expression<A>, Expression<B>) -> Expression<Bool>
    ) -> Expression<Bool>? {
        guard let one, let other else { return nil }
        return join(one, other)
    }
}

extension PredicateMaker {
    private func compare(_ lhs: Term, _ relation: Relation, _ rhs: Term) -> Expression<Bool>? {
        switch lhs.kind {
        case .integer: ordered(lhs, relation, rhs, Int64.self)
        case .real: ordered(lhs, relation, rhs, Double.self)
        case .decimal: ordered(lhs, relation, rhs, ExactDecimal.self)
        case .text: ordered(lhs, relation, rhs, String.self)
        case .instant: ordered(lhs, relation, rhs, Timestamp.self)
        case .day: ordered(lhs, relation, rhs, CalendarDay.self)
        case .flag: relation.isOfEquality ? equal(lhs, relation, rhs, Bool.self) : nil
        case .bytes: relation.isOfEquality ? equal(lhs, relation, rhs, [UInt8].self) : nil
        case .id:
            lhs.isID ? ordered(lhs, relation, rhs, EntityID<Specimen>.self) : ordered(lhs, relation, rhs, RawID.self)
        }
    }

    private func ordered<V: Askable & Comparable>(
        _ lhs: Term, _ relation: Relation, _ rhs: Term, _ type: V.Type
    ) -> Expression<Bool>? {
        if relation.isOfEquality { return equal(lhs, relation, rhs, type) }
        return joined(value(lhs, type), value(rhs, type)) { Parts.compare($0, relation, $1) }
    }

    private func equal<V: Askable>(
        _ lhs: Term, _ relation: Relation, _ rhs: Term, _ type: V.Type
    ) -> Expression<Bool>? {
        if lhs.isOptional || rhs.isOptional {
            return joined(optional(lhs, type), optional(rhs, type)) { Parts.equal($0, relation, $1) }
        }
        return joined(value(lhs, type), value(rhs, type)) { Parts.equal($0, relation, $1) }
    }

    private func among<V: Askable>(_ term: Term, _ values: [PlainValue], _ type: V.Type) -> Expression<Bool>? {
        if term.isOptional { return optional(term, type).map { Parts.among(values.map { V(plain: $0) }, $0) } }
        guard !values.contains(.missing) else { return nil }
        return value(term, type).map { Parts.among(values.compactMap { V(plain: $0) }, $0) }
    }

    private func within(
        _ term: Term, _ from: PlainValue, _ to: PlainValue, _ isClosed: Bool
    ) -> Expression<Bool>? {
        func within<V: Askable & Comparable>(_ type: V.Type) -> Expression<Bool>? {
            guard let from = V(plain: from), let to = V(plain: to), from <= to else { return nil }
            return value(term, type).map { isClosed ? Parts.within(from...to, $0) : Parts.within(from..<to, $0) }
        }
        return switch term.kind {
        case .integer: within(Int64.self)
        case .real: within(Double.self)
        case .decimal: within(ExactDecimal.self)
        case .text: within(String.self)
        case .instant: within(Timestamp.self)
        case .day: within(CalendarDay.self)
        case .id: term.isID ? within(EntityID<Specimen>.self) : within(RawID.self)
        case .flag, .bytes: nil
        }
    }

    private func chained(
        _ property: Property, _ relation: Relation, _ other: PlainValue, _ otherwise: Bool
    ) -> Expression<Bool>? {
        func chained<V: Askable & Comparable>(_ type: V.Type) -> Expression<Bool>? {
            guard let other = V(plain: other) else { return nil }
            return optional(.property(property), type).map { Parts.chained($0, relation, other, otherwise) }
        }
        return switch property.kind {
        case .integer: chained(Int64.self)
        case .real: chained(Double.self)
        case .decimal: chained(ExactDecimal.self)
        case .text: chained(String.self)
        case .instant: chained(Timestamp.self)
        case .day: chained(CalendarDay.self)
        case .id: chained(RawID.self)
        case .flag, .bytes: nil
        }
    }

    /// A non-optional term; an optional term is unwrapped with `!`.
    private func value<V: Askable>(_ term: Term, _ type: V.Type) -> Expression<V>? {
        switch term {
        case .property(let property):
            if property.isOptional { return optional(term, type).map { Parts.unwrapped($0) } }
            return V.path.map { Parts.member(row, $0) }
        case .given(.missing): return Parts.unwrapped(PredicateExpressions.build_Arg(V?.none))
        case .given(let value): return V(plain: value).map { PredicateExpressions.build_Arg($0) }
        case .orElse(let first, let other):
            guard let first = optional(first, type), let second = value(other, type) else { return nil }
            return Parts.orElse(first, second)
        case .sum(let lhs, let sum, let rhs):
            if V.self == Int64.self {
                guard let lhs = value(lhs, Int64.self), let rhs = value(rhs, Int64.self) else { return nil }
                return Parts.whole(lhs, sum, rhs) as? Expression<V>
            }
            if V.self == ExactDecimal.self {
                guard let lhs = value(lhs, ExactDecimal.self), let rhs = value(rhs, ExactDecimal.self) else {
                    return nil
                }
                return Parts.arithmetic(lhs, sum, rhs) as? Expression<V>
            }
            guard let lhs = value(lhs, Double.self), let rhs = value(rhs, Double.self) else { return nil }
            return Parts.real(lhs, sum, rhs) as? Expression<V>
        }
    }

    /// An optional term.
    private func optional<V: Askable>(_ term: Term, _ type: V.Type) -> Expression<V?>? {
        switch term {
        case .property(let property): property.isOptional ? V.optionalPath.map { Parts.member(row, $0) } : nil
        case .given(let value): PredicateExpressions.build_Arg(V(plain: value))
        case .orElse, .sum: nil
        }
    }
}

extension Term {
    fileprivate var kind: PlainKind {
        switch self {
        case .property(let property): property.kind
        case .given(.real): .real
        case .given(.decimal): .decimal
        case .given: .integer
        case .sum(let first, _, _), .orElse(let first, _): first.kind
        }
    }

    fileprivate var isID: Bool { if case .property(.id) = self { true } else { false } }

    fileprivate var isOptional: Bool {
        switch self {
        case .property(let property): property.isOptional
        case .given(let value): value == .missing
        case .orElse(_, let other): other.isOptional
        case .sum: false
        }
    }
}
