import LarderData
import LarderDomain
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Conditions whose meaning differs from the port's for a few values.
    static let semantics: [Mutation] = [
        judging("does not take null of two columns for equal") { condition, object in
            guard case .compare(.column(let one), let comparison, .column(let other)) = condition,
                object.values[one] == .null, object.values[other] == .null
            else { return nil }
            return comparison == .notEqual
        },
        judging("takes null of two columns for less or equal") { condition, object in
            guard case .compare(.column(let one), .lessOrEqual, .column(let other)) = condition else { return nil }
            return object.values[one] == .null && object.values[other] == .null ? true : nil
        },
        judging("looks for characters of a text in another") { condition, object in
            guard case .contains(let operand, let part) = condition, case .text(let text) = operand.value(of: object)
            else { return nil }
            return part.isEmpty || text.contains(part)
        },
        judging("compares the beginnings of texts by characters") { condition, object in
            guard case .hasPrefix(let operand, let part) = condition, case .text(let text) = operand.value(of: object)
            else { return nil }
            return text.hasPrefix(part)
        },
        computing("divides the smallest integer by -1") { one, operation, other in
            operation == .divide && one == .integer(.min) && other == .integer(-1) ? .integer(.min) : nil
        },
        computing("has no remainder of the smallest integer by -1") { one, operation, other in
            operation == .remainder && one == .integer(.min) && other == .integer(-1) ? .null : nil
        },
        computing("takes 0 for the remainder by 0") { _, operation, other in
            operation == .remainder && other == .integer(0) ? .integer(0) : nil
        },
        computing("divides reals by 0") { one, operation, other in
            guard operation == .divide, other == .real(0), case .real(let real) = one else { return nil }
            return .real(real / 0)
        },
        computing("has no answer where reals overflow") { one, operation, other in
            guard case .real(let one) = one, case .real(let other) = other, operation == .multiply else { return nil }
            return (one * other).isInfinite ? .null : nil
        },
        judging("has no answer where the second of a coalesce has none") { condition, object in
            guard case .compare(.coalesce(_, let second), _, _) = condition else { return nil }
            return Condition.compare(second, .equal, second).holds(for: object) ? nil : false
        },
        Mutation(.queries, "takes the id within a condition on owned objects for that of the root") {
            $0.matches = { condition, object in condition.withinOwned(id: object.id).holds(for: object) }
        },
        asking("takes an empty list of values for no condition") { condition in
            if case .isIn(_, []) = condition { .always(true) } else { condition }
        },
        asking("does not find null in a list of values") { condition in
            guard case .isIn(let operand, let values) = condition, values.contains(.null) else { return condition }
            return .isIn(operand, values.filter { $0 != .null })
        },
        Mutation(.queries, "takes none of no conditions for true") {
            $0.request = { request in
                var request = request
                request.condition = request.condition.mapEmpty
                return request
            }
        },
        Mutation(.order, "sorts by the missing value, and not by its replacement") {
            $0.request = { request in
                var request = request
                request.order = request.order.map { term in
                    guard case .coalesce(let first, _) = term.operand else { return term }
                    return OrderTerm(first, isDescending: term.isDescending)
                }
                return request
            }
        },
        Mutation(.queries, "leaves out the roots on which the body of a read fails") { $0.skipsFailures = true },
        Mutation(.queries, "lends the root after a page too") { $0.lendsOneMore = true },
        Mutation(.queries, "tests all conditions on one owned object") {
            $0.matches = { condition, object in condition.joiningChildren.holds(for: object) }
        },
    ]

    /// Evaluates some leaves of conditions differently.
    private static func judging(
        _ name: String, _ leaf: @escaping @Sendable (Condition, StorageObject) -> Bool?
    ) -> Mutation {
        Mutation(.queries, name) {
            $0.matches = { condition, object in condition.holds(for: object) { leaf($0, object) } }
        }
    }

    /// Computes some numbers differently; `null` means undefined.
    private static func computing(
        _ name: String, _ compute: @escaping @Sendable (Value, Arithmetic, Value) -> Value?
    ) -> Mutation {
        judging(name) { condition, object in
            guard case .compare(.arithmetic(let one, let operation, let other), let comparison, let right) = condition,
                !one.isPartial, !other.isPartial, !right.isPartial,
                let value = compute(one.value(of: object), operation, other.value(of: object))
            else { return nil }
            return value != .null && comparison.holds(value, right.value(of: object))
        }
    }
}

extension Condition {
    /// The condition as evaluated by a join of the tables of roots and of owned objects.
    fileprivate var joiningChildren: Condition {
        guard case .and(let parts) = self else { return self }
        var (rest, inner): ([Condition], [Int: [Condition]]) = ([], [:])
        for part in parts {
            guard case .anyChild(let list, let condition) = part else {
                rest.append(part.joiningChildren)
                continue
            }
            inner[list, default: []].append(condition)
        }
        return .and(rest + inner.map { .anyChild(relationship: $0.key, .and($0.value)) })
    }

    /// The condition with another id in place of that of each owned object.
    fileprivate func withinOwned(id: RawID) -> Condition {
        mapLeaves { leaf in
            guard case .anyChild(let list, let inner) = leaf else { return leaf }
            return .anyChild(relationship: list, inner.withinOwned(id: id).replacingIDs(with: id))
        }
    }

    private func replacingIDs(with id: RawID) -> Condition {
        func operand(_ operand: Operand) -> Operand { operand == .id ? .literal(.id(id)) : operand }
        return mapLeaves { leaf in
            if case .isIn(let one, let values) = leaf { .isIn(operand(one), values) } else { leaf.mapOperands(operand) }
        }
    }

    fileprivate var mapEmpty: Condition {
        switch self {
        case .or([]): .always(true)
        case .and(let parts): .and(parts.map(\.mapEmpty))
        case .or(let parts): .or(parts.map(\.mapEmpty))
        case .not(let inner): .not(inner.mapEmpty)
        default: self
        }
    }
}
