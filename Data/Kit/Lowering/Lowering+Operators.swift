#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

extension PredicateExpressions.Equal: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        let (left, right) = (try lowering.lower(lhs), try lowering.lower(rhs))
        if let condition = try left.compared(.equal, right) { return .truth(condition) }
        guard let condition = Condition.equality(left, right) else { throw .unsupported(self) }
        return .truth(condition)
    }
}

extension PredicateExpressions.NotEqual: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        let (left, right) = (try lowering.lower(lhs), try lowering.lower(rhs))
        if let condition = try left.compared(.notEqual, right) { return .truth(condition) }
        guard let condition = Condition.equality(left, right) else { throw .unsupported(self) }
        return .truth(condition.negated)
    }
}

extension Lowered {
    /// Compares operands, decimals, or an optional value object with `nil`; `nil` for other parts.
    func compared(_ comparison: Comparison, _ other: Lowered) throws(PersistencyError) -> Condition? {
        switch (self, other) {
        case (.operand(let left), .operand(let right)): .compare(left, comparison, right)
        case (.decimal(let left), .decimal(let right)): try left.compared(comparison, right)
        case (.value(let presence, _), .operand(.literal(.null))), (.operand(.literal(.null)), .value(let presence, _)):
            .compare(presence, comparison, .literal(.null))
        default: nil
        }
    }
}

extension Condition {
    /// Equality of two parts that are no operands; Booleans are equal if both are `nil` or both have the same value.
    fileprivate static func equality(_ lhs: Lowered, _ rhs: Lowered) -> Condition? {
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
        guard let condition = try lowering.lower(lhs).compared(comparison, lowering.lower(rhs)) else {
            throw .unsupported(self)
        }
        return .truth(condition)
    }
}

extension PredicateExpressions.Range: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        .range(lower: try lowering.lower(lower), upper: try lowering.lower(upper), includesUpper: false)
    }
}

extension PredicateExpressions.ClosedRange: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        .range(lower: try lowering.lower(lower), upper: try lowering.lower(upper), includesUpper: true)
    }
}

extension PredicateExpressions.RangeExpressionContains: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        guard case .range(let lower, let upper, let includesUpper) = try lowering.lower(range) else {
            throw .unsupported(self)
        }
        let element = try lowering.lower(element)
        func compared(_ comparison: Comparison, _ bound: Lowered?) throws(PersistencyError) -> Condition {
            guard let bound else { return .always(true) }
            guard let condition = try element.compared(comparison, bound) else { throw .unsupported(self) }
            return condition
        }
        return .truth(
            .all([
                try compared(.greaterOrEqual, lower), try compared(includesUpper ? .lessOrEqual : .less, upper),
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
        return try lowering.arithmetic(lhs, operation, rhs, in: self)
    }
}

extension PredicateExpressions.IntDivision: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        try lowering.arithmetic(lhs, .divide, rhs, in: self)
    }
}

extension PredicateExpressions.IntRemainder: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        try lowering.arithmetic(lhs, .remainder, rhs, in: self)
    }
}

extension PredicateExpressions.FloatDivision: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        try lowering.arithmetic(lhs, .divide, rhs, in: self)
    }
}

extension PredicateExpressions.UnaryMinus: LowerableExpression {
    /// Lowers to a subtraction from zero, which overflows if the negation does.
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        let zero = PredicateExpressions.Value(Wrapped.Output.zero)
        return try lowering.arithmetic(zero, .subtract, wrapped, in: self)
    }
}

extension Lowering {
    /// Only types whose arithmetic is that of the stored values: the others overflow or round earlier.
    fileprivate func arithmetic<Left: PredicateExpression, Right: PredicateExpression>(
        _ left: Left, _ operation: Arithmetic, _ right: Right, in expression: some PredicateExpression
    ) throws(PersistencyError) -> Lowered {
        switch (try lower(left), try lower(right)) {
        case (.decimal(let one), .decimal(let other)): return .decimal(try one.combined(operation, other))
        case (.operand(let one), .operand(let other)):
            let type = Left.Output.self
            guard type == Int.self || type == Int64.self || type == Double.self else {
                throw .unsupported(expression, "arithmetic of \(type); only Int, Int64 and Double support it")
            }
            return .operand(.arithmetic(one, operation, other))
        default: throw .unsupported(expression)
        }
    }
}
