#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

extension PredicateExpressions.SequenceContains: LowerableExpression {
    /// Lowers a captured collection that contains a value of the entity, or a relationship that contains a captured id.
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        switch (try lowering.lower(sequence), try lowering.lower(element)) {
        case (.collection(let values), .operand(let operand)): .truth(.isIn(operand, Set(values)))
        case (.decimals(let decimals), .decimal(let operand)): .truth(operand.isIn(decimals))
        case (.links(let relationship), .operand(.literal(.id(let id)))):
            .truth(.links(relationship: relationship, id: id))
        default: throw .unsupported(self)
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: LowerableExpression {
    /// Lowers a condition on any owned object, or a comparison of any id in a relationship with captured ids.
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        switch try lowering.lower(sequence) {
        case .children(let relationship, let members):
            let inner = lowering.entering(variable.key, members: members)
            return .truth(.anyChild(relationship: relationship, try inner.condition(test)))
        case .links(let relationship):
            let ids = try (test as? any LinkTest)?.ids(for: variable.key, by: lowering)
            guard let ids else { throw .unsupported(self, "an id can be compared only with captured ids") }
            return .truth(.any(ids.map { .links(relationship: relationship, id: $0) }))
        default: throw .unsupported(self)
        }
    }
}

extension PredicateExpressions.SequenceAllSatisfy: LowerableExpression {
    /// Lowers to the negation: no owned object fails the test.
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        guard case .children(let relationship, let members) = try lowering.lower(sequence) else {
            throw .unsupported(self)
        }
        let inner = lowering.entering(variable.key, members: members)
        return .truth(.not(.anyChild(relationship: relationship, try inner.condition(test).negated)))
    }
}

extension PredicateExpressions.CollectionContainsCollection: LowerableExpression {
    /// Lowers a text that contains a captured text.
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        guard case .operand(let text) = try lowering.lower(base), let part = try lowering.lower(other).asText else {
            throw .unsupported(self, "only a captured text can be searched for, and only in a text")
        }
        return .truth(.contains(text, part))
    }
}

extension PredicateExpressions.SequenceStartsWith: LowerableExpression {
    /// Lowers a text that starts with a captured text.
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered {
        guard case .operand(let text) = try lowering.lower(base), let part = try lowering.lower(prefix).asText else {
            throw .unsupported(self, "only a captured text can be searched for, and only in a text")
        }
        return .truth(.hasPrefix(text, part))
    }
}

/// A test of one id of a relationship that is satisfied by a known set of ids. Conjunctions and disjunctions do not
/// conform: two different ids might satisfy their parts.
private protocol LinkTest {
    func ids(
        for variable: PredicateExpressions.VariableID, by lowering: Lowering
    ) throws(PersistencyError) -> [RawID]?
}

extension PredicateExpressions.Equal: LinkTest {
    fileprivate func ids(
        for variable: PredicateExpressions.VariableID, by lowering: Lowering
    ) throws(PersistencyError) -> [RawID]? {
        guard (lhs as? PredicateExpressions.Variable<LHS.Output>)?.key == variable,
            case .literal(.id(let id)) = try lowering.operand(rhs)
        else { return nil }
        return [id]
    }
}

extension PredicateExpressions.SequenceContains: LinkTest {
    fileprivate func ids(
        for variable: PredicateExpressions.VariableID, by lowering: Lowering
    ) throws(PersistencyError) -> [RawID]? {
        guard (element as? PredicateExpressions.Variable<RHS.Output>)?.key == variable,
            case .collection(let values) = try lowering.lower(sequence)
        else { return nil }
        return values.compactMap { if case .id(let id) = $0 { id } else { nil } }
    }
}
