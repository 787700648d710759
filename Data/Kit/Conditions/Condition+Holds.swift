extension Condition {
    /// Evaluates the condition on an object: the only interpreter, used by every in-memory store and the unit of work.
    ///
    /// Requires a condition over the object's schema, without one on other roots.
    ///
    /// - Complexity: O(1) in the number of values in its lists.
    public func holds(for object: StorageObject) -> Bool {
        switch self {
        case .always(let value): return value
        case .compare(let lhs, let comparison, let rhs):
            guard let left = lhs.value(in: object), let right = rhs.value(in: object) else { return false }
            return comparison.holds(left, right)
        case .isIn(let operand, let values):
            guard let value = operand.value(in: object) else { return false }
            return values.contains(value)
        case .contains(let operand, let part):
            guard case .text(let text) = operand.value(in: object) else { return false }
            return part.isEmpty || text.utf8.contains(part.utf8)
        case .hasPrefix(let operand, let prefix):
            guard case .text(let text) = operand.value(in: object) else { return false }
            return text.utf8.starts(with: prefix.utf8)
        case .links(let relationship, let id): return object.links[relationship].contains(id)
        case .anyChild(let relationship, let condition):
            return object.children[relationship].contains { condition.holds(for: $0) }
        // Never called: the ids of the other roots are read first.
        case .related: return false
        case .and(let parts): return parts.allSatisfy { $0.holds(for: object) }
        case .or(let parts): return parts.contains { $0.holds(for: object) }
        case .not(let inner): return !inner.holds(for: object)
        }
    }
}

extension Comparison {
    fileprivate func holds(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .equal: return left == right
        case .notEqual: return left != right
        default: break
        }
        guard left != .null, right != .null else { return false }
        return switch self {
        case .less: Value.precedes(left, right)
        case .lessOrEqual: !Value.precedes(right, left)
        case .greater: Value.precedes(right, left)
        default: !Value.precedes(left, right)
        }
    }
}

extension Operand {
    /// The value for an object; `nil` if undefined.
    func value(in object: StorageObject) -> Value? {
        switch self {
        case .literal(let value): return value
        case .id: return .id(object.id)
        case .column(let index): return object.values[index]
        case .linkCount(let index): return .integer(Int64(object.links[index].count))
        case .childCount(let index): return .integer(Int64(object.children[index].count))
        case .childSum(let index, let column, let condition):
            let sum = object.children[index].lazy.filter(condition.holds).reduce(0 as Int64) { sum, child in
                if case .integer(let integer) = child.values[column] { sum &+ integer } else { sum }
            }
            return .integer(sum)
        case .rank(let index, let starts):
            return .integer(object.children[index].reduce(0) { $0 + WordText($1.values[0]).rank(of: starts) })
        case .coalesce(let first, let second):
            guard let value = first.value(in: object) else { return nil }
            return value == .null ? second.value(in: object) : value
        case .arithmetic(let lhs, let operation, let rhs):
            switch (lhs.value(in: object), rhs.value(in: object)) {
            case (.integer(let a), .integer(let b)): return operation.apply(a, b).map(Value.integer)
            case (.real(let a), .real(let b)): return operation.apply(a, b).map(Value.real)
            default: return nil
            }
        }
    }
}

extension Arithmetic {
    fileprivate func apply(_ a: Int64, _ b: Int64) -> Int64? {
        let (result, overflow) =
            switch self {
            case .add: a.addingReportingOverflow(b)
            case .subtract: a.subtractingReportingOverflow(b)
            case .multiply: a.multipliedReportingOverflow(by: b)
            case .divide: a.dividedReportingOverflow(by: b)
            // The remainder of a division by -1 is 0, even if the quotient overflows.
            case .remainder: b == -1 ? (0, false) : a.remainderReportingOverflow(dividingBy: b)
            }
        return overflow ? nil : result
    }

    fileprivate func apply(_ a: Double, _ b: Double) -> Double? {
        let result: Double? =
            switch self {
            case .add: a + b
            case .subtract: a - b
            case .multiply: a * b
            case .divide: b == 0 ? nil : a / b
            case .remainder: nil
            }
        return result.flatMap { $0.isNaN ? nil : $0 }
    }
}
