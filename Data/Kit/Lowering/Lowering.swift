#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

/// Translates the expression tree of a `Predicate` to a ``Condition``, once per query.
///
/// The tree's node types are generic over each other, so each conforms to ``LowerableExpression`` and lowers its parts.
/// A node that does not conform, or that no store could evaluate exactly, throws `unsupportedQuery`.
struct Lowering {
    /// The schema of the entity.
    let schema: EntitySchema
    /// The values of variables: the entity, or the argument of a closure in the predicate.
    private var variables: [PredicateExpressions.VariableID: (meaning: Lowered, depth: Int)] = [:]
    /// The nesting depth of closures over owned objects; a variable of another depth is another object.
    private var depth = 0

    static func condition<E: Entity>(
        of predicate: Predicate<E>, _ mapping: Mapping<E>
    ) throws(PersistencyError) -> Condition {
        var lowering = Lowering(schema: mapping.schema)
        lowering.variables[predicate.variable.key] = (.object(mapping.keyPaths), 0)
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

    /// The lowering within a closure whose variable is bound to a value of the same object.
    func binding(_ variable: PredicateExpressions.VariableID, to meaning: Lowered) -> Lowering {
        var inner = self
        inner.variables[variable] = (meaning, depth)
        return inner
    }

    /// The lowering within a closure over owned objects.
    func entering(_ variable: PredicateExpressions.VariableID, members: KeyPathTable) -> Lowering {
        var inner = self
        inner.depth += 1
        inner.variables[variable] = (.object(members), inner.depth)
        return inner
    }
}

/// A node of a predicate's tree that can be lowered.
protocol LowerableExpression {
    func lowered(by lowering: Lowering) throws(PersistencyError) -> Lowered
}

extension PersistencyError {
    /// Names an expression by its type, without module names, which make such types unreadable.
    static func unsupported(_ expression: some PredicateExpression, _ why: String? = nil) -> PersistencyError {
        let name = "\(type(of: expression))".replacing("PredicateExpressions.", with: "")
        return .unsupportedQuery(why.map { "\(name): \($0)" } ?? name)
    }
}
