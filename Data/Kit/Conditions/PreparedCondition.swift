internal import LarderDomain

/// A condition prepared for many objects: each long list of values is a set. The interpreter compares each object with each
/// value of a list, which takes quadratic time where both are many.
public struct PreparedCondition: Sendable {
    private indirect enum Test: Sendable {
        /// A condition without long lists, for the interpreter.
        case plain(Condition)
        case isIn(Operand, Set<Value>)
        case anyChild(Int, Test)
        case and([Test])
        case or([Test])
        case not(Test)
    }

    /// In shorter lists, comparing takes no longer than hashing.
    private static let shortList = 8

    private let test: Test

    /// Prepares a condition.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values in its lists.
    public init(_ condition: Condition) {
        test = Self.test(condition)
    }

    /// Whether an object satisfies the condition; the same answer as ``Condition/holds(for:)``.
    ///
    /// - Complexity: O(1) in the number of values in lists.
    public func holds(for object: StorageObject) -> Bool { Self.holds(test, for: object) }

    private static func test(_ condition: Condition) -> Test {
        guard condition.hasList(longerThan: shortList) else { return .plain(condition) }
        return switch condition {
        case .isIn(let operand, let values): .isIn(operand, Set(values))
        case .anyChild(let relationship, let inner): .anyChild(relationship, test(inner))
        case .and(let parts): .and(parts.map(test))
        case .or(let parts): .or(parts.map(test))
        case .not(let inner): .not(test(inner))
        case .always, .compare, .contains, .hasPrefix, .links: .plain(condition)
        }
    }

    private static func holds(_ test: Test, for object: StorageObject) -> Bool {
        switch test {
        case .plain(let condition): condition.holds(for: object)
        case .isIn(let operand, let values): operand.value(in: object).map(values.contains) ?? false
        case .anyChild(let relationship, let inner):
            object.children[relationship].contains { holds(inner, for: $0) }
        case .and(let parts): parts.allSatisfy { holds($0, for: object) }
        case .or(let parts): parts.contains { holds($0, for: object) }
        case .not(let inner): !holds(inner, for: object)
        }
    }
}

extension Condition {
    fileprivate func hasList(longerThan bound: Int) -> Bool {
        switch self {
        case .isIn(_, let values): values.count > bound
        case .anyChild(_, let inner), .not(let inner): inner.hasList(longerThan: bound)
        case .and(let parts), .or(let parts): parts.contains { $0.hasList(longerThan: bound) }
        case .always, .compare, .contains, .hasPrefix, .links: false
        }
    }
}
