#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

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
