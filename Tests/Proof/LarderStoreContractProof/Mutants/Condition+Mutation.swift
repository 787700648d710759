import LarderData
@testable import LarderStoreContractTests

extension Condition {
    /// The condition with its leaves replaced.
    func mapLeaves(_ leaf: (Condition) -> Condition) -> Condition {
        switch self {
        case .and(let parts): .and(parts.map { $0.mapLeaves(leaf) })
        case .or(let parts): .or(parts.map { $0.mapLeaves(leaf) })
        case .not(let inner): .not(inner.mapLeaves(leaf))
        default: leaf(self)
        }
    }

    /// The leaves.
    var leaves: [Condition] {
        var leaves: [Condition] = []
        _ = mapLeaves { leaf in
            leaves.append(leaf)
            return leaf
        }
        return leaves
    }

    /// The condition with the operands of its comparisons replaced.
    func mapOperands(_ change: (Operand) -> Operand) -> Condition {
        guard case .compare(let lhs, let comparison, let rhs) = self else { return self }
        return .compare(change(lhs), comparison, change(rhs))
    }

    /// Whether an object satisfies the condition, with a different evaluation of some leaves.
    func holds(for object: StorageObject, _ leaf: (Condition) -> Bool?) -> Bool {
        switch self {
        case .and(let parts): parts.allSatisfy { $0.holds(for: object, leaf) }
        case .or(let parts): parts.contains { $0.holds(for: object, leaf) }
        case .not(let inner): !inner.holds(for: object, leaf)
        default: leaf(self) ?? holds(for: object)
        }
    }
}

extension Comparison {
    /// The comparison extended to equal values.
    var orEqual: Comparison {
        switch self {
        case .less: .lessOrEqual
        case .greater: .greaterOrEqual
        default: self
        }
    }

    /// Whether the comparison of two values is true.
    func holds(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: Value.precedes(left, right)
        case .lessOrEqual: !Value.precedes(right, left)
        case .greater: Value.precedes(right, left)
        case .greaterOrEqual: !Value.precedes(left, right)
        }
    }
}

extension Operand {
    /// The value for an object; `null` if it is undefined.
    func value(of object: StorageObject) -> Value { Place(of: object, in: [OrderTerm(self)]).values[0] }

    /// The value for an object, with wrapping integer arithmetic.
    func wrapping(in object: StorageObject) -> Value? {
        guard case .arithmetic(let lhs, let operation, let rhs) = self,
            case .integer(let a)? = lhs.wrapping(in: object), case .integer(let b)? = rhs.wrapping(in: object)
        else { return value(of: object) }
        return switch operation {
        case .add: .integer(a &+ b)
        case .subtract: .integer(a &- b)
        case .multiply: .integer(a &* b)
        case .divide, .remainder: value(of: object)
        }
    }
}

extension Operand {
    /// Whether the operand can be undefined.
    var isPartial: Bool {
        switch self {
        case .literal, .id, .column, .linkCount, .childCount, .childSum, .rank: false
        case .coalesce(let first, let second): first.isPartial || second.isPartial
        case .arithmetic: true
        }
    }
}
