import LarderData
import LarderDomain
import LarderStoreContract
import Testing

@testable import LarderStoreContractTests

/// Stores with a fault that contradicts itself. No fault can be switched on in the product, so each is planted where its
/// effect leaves the part that would have it: as another condition, as another text of a statement, or as another result.
struct SelfCheckMutantTests {
    /// Faults of `Data/Kit/Lowering`, as the conditions that it would make of predicates. The store receives them.
    private static let lowerings: [StoreFixture] = [
        lowering("negates a comparison by the opposite one") { condition in
            guard case .not(.compare(let lhs, let comparison, let rhs)) = condition else { return nil }
            let opposites: [Comparison: Comparison] = [
                .equal: .notEqual, .notEqual: .equal, .less: .greaterOrEqual, .greaterOrEqual: .less,
                .greater: .lessOrEqual, .lessOrEqual: .greater,
            ]
            return opposites[comparison].map { .compare(lhs, $0, rhs) }
        },
        lowering("takes the first of alternatives alone") { condition in
            if case .or(let parts) = condition { parts.first } else { nil }
        },
        lowering("takes less for less or equal") { condition in
            guard case .compare(let lhs, .lessOrEqual, let rhs) = condition else { return nil }
            return .compare(lhs, .less, rhs)
        },
        lowering("finds no missing value in a list") { condition in
            guard case .not(.isIn(let operand, let values)) = condition else { return nil }
            return .and([.not(.isIn(operand, values)), .compare(operand, .notEqual, .literal(.null))])
        },
    ]

    /// Faults of `Infrastructure/Kit/SQL`, as the texts that it would make of conditions. SQLite receives them.
    private static let spellings: [StoreFixture] = [
        .misspelled("leaves unknown what is unknown, also if it is negated") {
            $0.replacing(", (1 = 0))", with: ", NULL)")
        },
        .misspelled("compares for inequality as SQL does") { $0.replacing(" IS NOT ?", with: " <> ?") },
        .misspelled("does not guard negated references") {
            $0.replacing(#"t0."author_id" IS NOT NULL AND"#, with: "(1 = 1) AND")
        },
        .misspelled("counts at most 20 rows") { $0.replacing("SELECT count(*)", with: "SELECT min(count(*), 20)") },
        .misspelled("takes the greatest value for the least") { $0.replacing("min(", with: "max(") },
        .misspelled("continues with the last row of the page") { $0.replacing(#""id" > ?"#, with: #""id" >= ?"#) },
    ]

    /// Faults of `Condition.holds(for:)`, as the results that it would have for some parts of conditions.
    private static let interpreters: [StoreFixture] = [
        interpreting("has a third value, which a negation keeps") { condition, object in
            guard case .not(.compare(let lhs, let comparison, let rhs)) = condition, comparison.isOrder else {
                return nil
            }
            if lhs.value(of: object) == .null || rhs.value(of: object) == .null { return false }
            return nil
        },
        interpreting("negates each part of a conjunction") { condition, object in
            guard case .not(.and(let parts)) = condition else { return nil }
            return parts.allSatisfy { !$0.holds(for: object) }
        },
        interpreting("compares integers as numbers that are not exact") { condition, object in
            guard case .compare(let lhs, .equal, let rhs) = condition,
                case .integer(let one) = lhs.value(of: object), case .integer(let other) = rhs.value(of: object)
            else { return nil }
            return Double(one) == Double(other)
        },
    ]

    @Test(arguments: lowerings + spellings + interpreters)
    func `a fault in the lowering, in SQL or in the interpreter is found`(fixture: StoreFixture) async throws {
        let report = try await SelfCheckRun(queries: 2000, complaintsAtMost: 1).judge([fixture])
        #expect(!report.complaints.isEmpty)
    }

    @Test func `the same stores without a fault are not complained of`() async throws {
        let sound: [StoreFixture] = [
            .misspelled("SQL") { $0 }, Self.lowering("lowering") { _ in nil },
            Self.interpreting("interpreter") { _, _ in nil },
        ]
        #expect(try await SelfCheckRun(queries: 100).judge(sound).complaints == [])
    }

    /// Replaces the conditions for which the change is not nil.
    private static func lowering(
        _ name: String, _ change: @escaping @Sendable (Condition) -> Condition?
    ) -> StoreFixture {
        .mutant(
            Mutation(.queries, name) {
                $0.request = { request in
                    var request = request
                    request.condition = request.condition.replacing(change)
                    return request
                }
            })
    }

    private static func interpreting(
        _ name: String, _ change: @escaping @Sendable (Condition, StorageObject) -> Bool?
    ) -> StoreFixture {
        .mutant(
            Mutation(.queries, name) {
                $0.matches = { condition, object in condition.holds(for: object, replacing: change) }
            })
    }
}

extension Condition {
    fileprivate func replacing(_ change: (Condition) -> Condition?) -> Condition {
        if let changed = change(self) { return changed }
        return switch self {
        case .and(let parts): .and(parts.map { $0.replacing(change) })
        case .or(let parts): .or(parts.map { $0.replacing(change) })
        case .not(let inner): .not(inner.replacing(change))
        default: self
        }
    }

    fileprivate func holds(for object: StorageObject, replacing change: (Condition, StorageObject) -> Bool?) -> Bool {
        if let changed = change(self, object) { return changed }
        return switch self {
        case .and(let parts): parts.allSatisfy { $0.holds(for: object, replacing: change) }
        case .or(let parts): parts.contains { $0.holds(for: object, replacing: change) }
        case .not(let inner): !inner.holds(for: object, replacing: change)
        default: holds(for: object)
        }
    }
}

extension Comparison {
    fileprivate var isOrder: Bool { self != .equal && self != .notEqual }
}
