#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

extension PredicateExpressions.Equal: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        guard let condition = Condition.equality(try lowering.lower(lhs), try lowering.lower(rhs)) else {
            throw .unsupported(self)
        }
        return .truth(condition)
    }
}

extension PredicateExpressions.NotEqual: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        let (left, right) = (try lowering.lower(lhs), try lowering.lower(rhs))
        if case .operand(let left) = left, case .operand(let right) = right {
            return .truth(.compare(left, .notEqual, right))
        }
        guard let condition = Condition.equality(left, right) else { throw .unsupported(self) }
        return .truth(condition.negated)
    }
}

extension Condition {
    /// Equality of two parts; Booleans are equal if both are `nil` or both have the same value.
    fileprivate static func equality(_ lhs: Lowered, _ rhs: Lowered) -> Condition? {
        if case .operand(let left) = lhs, case .operand(let right) = rhs { return .compare(left, .equal, right) }
        guard let left = lhs.asTruth, let right = rhs.asTruth else { return nil }
        func isFalse(_ truth: (isTrue: Condition, isNil: Condition)) -> Condition {
            .all([truth.isTrue.negated, truth.isNil.negated])
        }
        return .any([
            .all([left.isNil, right.isNil]), .all([left.isTrue, right.isTrue]), .all([isFalse(left), isFalse(right)]),
        ])
    }
}

extension PredicateExpressions.Comparison: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        let comparison: Comparison =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: throw .unsupported(self)
            }
        return .truth(.compare(try lowering.operand(lhs), comparison, try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.Range: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        .range(lower: try lowering.operand(lower), upper: try lowering.operand(upper), includesUpper: false)
    }
}

extension PredicateExpressions.ClosedRange: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        .range(lower: try lowering.operand(lower), upper: try lowering.operand(upper), includesUpper: true)
    }
}

extension PredicateExpressions.RangeExpressionContains: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        guard case .range(let lower, let upper, let includesUpper) = try lowering.lower(range) else {
            throw .unsupported(self)
        }
        let element = try lowering.operand(element)
        return .truth(
            .all([
                lower.map { .compare(element, .greaterOrEqual, $0) } ?? .always(true),
                upper.map { .compare(element, includesUpper ? .lessOrEqual : .less, $0) } ?? .always(true),
            ]))
    }
}

extension PredicateExpressions.Arithmetic: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        let operation: Arithmetic =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default: throw .unsupported(self)
            }
        return .operand(.arithmetic(try lowering.operand(lhs), operation, try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.IntDivision: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        .operand(.arithmetic(try lowering.operand(lhs), .divide, try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.IntRemainder: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        .operand(.arithmetic(try lowering.operand(lhs), .remainder, try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.FloatDivision: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        .operand(.arithmetic(try lowering.operand(lhs), .divide, try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.UnaryMinus: LowerableExpression {
    /// Lowers to a subtraction from zero, which overflows if the negation does.
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        let zero: Value = Output.self == Double.self ? .real(0) : .integer(0)
        return .operand(.arithmetic(.literal(zero), .subtract, try lowering.operand(wrapped)))
    }
}
