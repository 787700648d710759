import LarderData
import LarderDomain
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects that the laws of queries and the differential run must both detect.
    static let querying: [Mutation] = [
        Mutation(.queries, "treats a comparison with a missing value as unknown, as SQL does") {
            $0.request = { request in
                var request = request
                request.condition = request.condition.withUnknowns
                return request
            }
        },
        Mutation(.queries, "finds one fewer") {
            $0.result = { _, result in
                ReadResult(items: result.items.dropLast(), next: result.next, total: result.total)
            }
        },
        asking("takes less for less or equal, and greater for greater or equal") { condition in
            guard case .compare(let lhs, let comparison, let rhs) = condition else { return condition }
            return .compare(lhs, comparison.orEqual, rhs)
        },
        asking("finds a part of a text at its beginning alone") { condition in
            if case .contains(let text, let part) = condition { .hasPrefix(text, part) } else { condition }
        },
        asking("finds the beginning of a text anywhere in it") { condition in
            if case .hasPrefix(let text, let part) = condition { .contains(text, part) } else { condition }
        },
        asking("looks for the last of several values alone") { condition in
            if case .isIn(let operand, let values) = condition {
                .isIn(operand, Set(values.prefix(1)))
            } else {
                condition
            }
        },
        asking("does not replace missing values") { condition in
            condition.mapOperands { if case .coalesce(let first, _) = $0 { first } else { $0 } }
        },
        asking("adds where it should multiply") { condition in
            condition.mapOperands { operand in
                if case .arithmetic(let lhs, .multiply, let rhs) = operand { return .arithmetic(lhs, .add, rhs) }
                return operand
            }
        },
        asking("gives a remainder for a quotient") { condition in
            condition.mapOperands { operand in
                if case .arithmetic(let lhs, .divide, let rhs) = operand { return .arithmetic(lhs, .remainder, rhs) }
                return operand
            }
        },
        comparing("compares texts without case") { left, right in
            guard case .text(let one) = left, case .text(let other) = right else { return nil }
            return (.text(one.lowercased()), .text(other.lowercased()))
        },
        comparing("compares integers as floating-point numbers") { left, right in
            guard case .integer(let one) = left, case .integer(let other) = right else { return nil }
            return (.real(Double(one)), .real(Double(other)))
        },
        Mutation(.queries, "lets integers wrap around when they overflow") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .compare(let lhs, let comparison, let rhs) = leaf,
                        case .integer(let left)? = lhs.wrapping(in: object),
                        case .integer(let right)? = rhs.wrapping(in: object)
                    else { return nil }
                    return comparison.holds(.integer(left), .integer(right))
                }
            }
        },
    ]

    /// Evaluates a different condition.
    static func asking(_ name: String, _ leaf: @escaping @Sendable (Condition) -> Condition) -> Mutation {
        Mutation(.queries, name) {
            $0.request = { request in
                var request = request
                request.condition = request.condition.mapLeaves(leaf)
                return request
            }
        }
    }

    /// Compares different values where the replacement is not nil.
    private static func comparing(
        _ name: String, _ others: @escaping @Sendable (Value, Value) -> (Value, Value)?
    ) -> Mutation {
        Mutation(.queries, name) {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .compare(let lhs, let comparison, let rhs) = leaf, !lhs.isPartial, !rhs.isPartial,
                        let (left, right) = others(lhs.value(of: object), rhs.value(of: object))
                    else { return nil }
                    return comparison.holds(left, right)
                }
            }
        }
    }
}

extension Condition {
    /// The condition in which a comparison with null is neither true nor false.
    fileprivate var withUnknowns: Condition {
        switch self {
        case .compare(let lhs, .notEqual, .literal(.null)): .compare(lhs, .notEqual, .literal(.null))
        case .compare(let lhs, .notEqual, let rhs):
            .and([.compare(lhs, .notEqual, rhs), .not(.compare(lhs, .equal, .literal(.null)))])
        case .and(let parts): .and(parts.map(\.withUnknowns))
        case .or(let parts): .or(parts.map(\.withUnknowns))
        case .not(let inner): .not(inner.withUnknowns)
        default: self
        }
    }
}
