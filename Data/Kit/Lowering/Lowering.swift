#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

/// Turns the expression tree of a `Predicate` into a ``Condition``, once for each query.
///
/// The tree's node types are generic over each other, so each conforms to ``LowerableExpression`` and lowers its parts.
/// A node that does not conform, or a form that no store could answer exactly, is `unsupportedQuery`.
struct Lowering {
    /// What variables stand for: the entity, or whatever a closure in the predicate is handed.
    private var variables: [PredicateExpressions.VariableID: (meaning: Lowered, depth: Int)] = [:]
    /// How many closures over owned objects enclose the place; members of another depth belong to another object.
    private var depth = 0

    static func condition<E: Entity>(
        of predicate: Predicate<E>, members: KeyPathTable
    ) throws(PersistencyError) -> Condition {
        var lowering = Lowering()
        lowering.variables[predicate.variable.key] = (.object(members), 0)
        return try lowering.condition(predicate.expression)
    }

    func lower(_ expression: some PredicateExpression) throws(PersistencyError) -> Lowered {
        guard let expression = expression as? any LowerableExpression else {
            throw .unsupported(expression)
        }
        return try expression.lowered(by: self)
    }

    func condition(_ expression: some PredicateExpression<Bool>) throws(PersistencyError) -> Condition {
        guard let truth = try lower(expression).asTruth else { throw .unsupported(expression) }
        return truth.isTrue
    }

    func operand(_ expression: some PredicateExpression) throws(PersistencyError) -> Operand {
        guard case .operand(let operand) = try lower(expression) else { throw .unsupported(expression) }
        return operand
    }

    func meaning(of variable: PredicateExpressions.VariableID) throws(PersistencyError) -> Lowered {
        guard let (meaning, depth) = variables[variable] else { throw .unsupportedQuery("an unbound variable") }
        guard depth == self.depth else {
            throw .unsupportedQuery("a closure over owned objects that refers to the object outside")
        }
        return meaning
    }

    /// The same lowering, within a closure whose variable stands for something of the same object.
    func binding(_ variable: PredicateExpressions.VariableID, to meaning: Lowered) -> Lowering {
        var inner = self
        inner.variables[variable] = (meaning, depth)
        return inner
    }

    /// The same lowering, within a closure over owned objects.
    func entering(_ variable: PredicateExpressions.VariableID, members: KeyPathTable) -> Lowering {
        var inner = self
        inner.depth += 1
        inner.variables[variable] = (.object(members), inner.depth)
        return inner
    }
}

/// A node of a predicate's tree that has a meaning over schemas.
protocol LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered
}

extension PersistencyError {
    /// Names an expression by its type, without the module names that make such types unreadable.
    static func unsupported(_ expression: some PredicateExpression, _ why: String? = nil) -> PersistencyError {
        let name = "\(type(of: expression))".replacing("PredicateExpressions.", with: "")
        return .unsupportedQuery(why.map { "\(name): \($0)" } ?? name)
    }
}
