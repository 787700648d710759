/// A query condition, independent of the kit and the oracle. Both receive it in their terms.
indirect enum PlainQuestion: Sendable {
    case compare(Term, Relation, Term)
    case isAmong(Term, [PlainValue])
    case contains(Term, Term)
    case begins(Term, Term)
    case isEmpty(Term)
    case isWithin(Term, PlainValue, PlainValue, isClosed: Bool)
    /// A comparison of the optional property; if the property is missing, this Boolean.
    case chained(Property, Relation, PlainValue, otherwise: Bool)
    case all([PlainQuestion])
    case any([PlainQuestion])
    case not(PlainQuestion)
}

/// A value within a condition.
indirect enum Term: Sendable {
    case property(Property)
    case given(PlainValue)
    /// The first term, or the second if the first is missing.
    case orElse(Term, Term)
    case sum(Term, Sum, Term)
}

enum Relation: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    var isOfEquality: Bool { self == .equal || self == .notEqual }
}

enum Sum: String, CaseIterable, Sendable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case by = "/"
    case remainder = "%"
}

/// One component of a sort order.
struct PlainOrder: Sendable {
    let property: Property
    let isDescending: Bool
}

extension PlainQuestion: CustomStringConvertible {
    var description: String {
        switch self {
        case .compare(let lhs, let relation, let rhs): "(\(lhs) \(relation.rawValue) \(rhs))"
        case .isAmong(let term, let values): "\(values).contains(\(term))"
        case .contains(let term, let part): "\(term).contains(\(part))"
        case .begins(let term, let part): "\(term).starts(with: \(part))"
        case .isEmpty(let term): "\(term).isEmpty"
        case .isWithin(let term, let from, let to, let isClosed): "(\(from)\(isClosed ? "..." : "..<")\(to) ~= \(term))"
        case .chained(let property, let relation, let value, let otherwise):
            "(\(property).flatMap { $0 \(relation.rawValue) \(value) } ?? \(otherwise))"
        case .all(let parts): "all\(parts)"
        case .any(let parts): "any\(parts)"
        case .not(let inner): "!\(inner)"
        }
    }
}

extension Term: CustomStringConvertible {
    var description: String {
        switch self {
        case .property(let property): "\(property)"
        case .given(let value): "\(value)"
        case .orElse(let first, let other): "(\(first) ?? \(other))"
        case .sum(let lhs, let sum, let rhs): "(\(lhs) \(sum.rawValue) \(rhs))"
        }
    }
}
