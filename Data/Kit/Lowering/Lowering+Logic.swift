#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

extension PredicateExpressions.Conjunction: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        .truth(.all([try lowering.condition(lhs), try lowering.condition(rhs)]))
    }
}

extension PredicateExpressions.Disjunction: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        .truth(.any([try lowering.condition(lhs), try lowering.condition(rhs)]))
    }
}

extension PredicateExpressions.Negation: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        .truth(try lowering.condition(wrapped).negated)
    }
}

extension PredicateExpressions.Conditional: LowerableExpression {
    /// Supports only Boolean branches: no index could serve a choice between values.
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        let test = try lowering.condition(test)
        guard let chosen = try lowering.lower(trueBranch).asTruth, let other = try lowering.lower(falseBranch).asTruth,
            Output.self == Bool.self || Output.self == Bool?.self
        else { throw .unsupported(self) }
        return .truth(
            isTrue: .any([.all([test, chosen.isTrue]), .all([test.negated, other.isTrue])]),
            isNil: .any([.all([test, chosen.isNil]), .all([test.negated, other.isNil])]))
    }
}

extension PredicateExpressions.OptionalFlatMap: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        let lowered = try lowering.lower(wrapped)
        let isNil: Condition
        let inner: Lowering
        if case .value(let presence, let members) = lowered {
            (isNil, inner) = (presence.isNull, lowering.binding(variable.key, to: .object(members)))
        } else if let operand = lowered.asOperand {
            (isNil, inner) = (operand.isNull, lowering.binding(variable.key, to: lowered))
        } else {
            throw .unsupported(self)
        }
        switch try inner.lower(transform) {
        case let result where lowered.asOperand == nil ? result.isMember : result.asOperand == lowered.asOperand:
            return result
        case .truth(let isTrue, let isNilInside):
            return .truth(isTrue: .all([isNil.negated, isTrue]), isNil: .any([isNil, isNilInside]))
        default: throw .unsupported(self, "give the optional a value with ?? first")
        }
    }
}

extension PredicateExpressions.NilCoalesce: LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        let (first, second) = (try lowering.lower(lhs), try lowering.lower(rhs))
        if case .operand(let first) = first, case .operand(let second) = second {
            return .operand(.coalesce(first, second))
        }
        if case .decimal(let first) = first, case .decimal(let second) = second {
            return .decimal(try first.coalesced(with: second))
        }
        guard let first = first.asTruth, let second = second.asTruth else { throw .unsupported(self) }
        return .truth(
            isTrue: .any([first.isTrue, .all([first.isNil, second.isTrue])]), isNil: .all([first.isNil, second.isNil]))
    }
}

extension PredicateExpressions.ForcedUnwrap: LowerableExpression {
    /// A failed unwrap would trap in Swift; here the value stays `nil`: neither less nor greater than any value, and
    /// unequal to every value.
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        let lowered = try lowering.lower(inner)
        if case .value(_, let members) = lowered { return .object(members) }
        guard lowered.asOperand != nil else { throw .unsupported(self) }
        return lowered
    }
}
