import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in conditions on parts of value objects, folded texts, days and decimals, and in their uniqueness.
    static let parts: [Mutation] = [
        comparing("compares parts of folded texts letter by letter", "venue") { leaf, object in
            switch leaf {
            case .hasPrefix(.column(let index), let text):
                object.written(index)?.starts(withLettersOf: text)
            case .contains(.column(let index), let text):
                object.written(index).map { written in
                    written.indices.contains { written[$0...].starts(withLettersOf: text) }
                }
            default: nil
            }
        },
        comparing("takes two parts that are null for different ones", "venue") { leaf, object in
            guard case .compare(.column(let one), let comparison, .column(let other)) = leaf,
                object.values[one] == .null, object.values[other] == .null
            else { return nil }
            return comparison == .notEqual
        },
        comparing("compares days by their months", "specimen") { leaf, object in
            guard case .compare(.column(let index), let comparison, .literal(.text(let day))) = leaf,
                object.schema.columns[index].type == .day, case .text(let own) = object.values[index]
            else { return nil }
            return comparison.holds(.text(String(own.prefix(7))), .text(String(day.prefix(7))))
        },
        comparing("multiplies two columns as reals", "parcel") { leaf, object in
            guard case .compare(.arithmetic(let lhs, .multiply, let rhs), let comparison, let limit) = leaf,
                case .literal(.integer(let limit)) = limit, case .integer(let left) = lhs.value(of: object),
                case .integer(let right) = rhs.value(of: object)
            else { return nil }
            return comparison.holds(.real(Double(left) * Double(right)), .real(Double(limit)))
        },
        judging("judges unique folded texts by the state before the commit") { $0.count == 1 },
        judging("judges unique value objects by the state before the commit") { $0.count > 1 },
    ]

    private static func comparing(
        _ name: String, _ schema: String, _ isSatisfied: @escaping @Sendable (Condition, StorageObject) -> Bool?
    ) -> Mutation {
        Mutation(.queries, name) {
            $0.matches = { condition, object in
                condition.holds(for: object) { object.schema.name == schema ? isSatisfied($0, object) : nil }
            }
        }
    }

    /// Compares the unique groups of updated venues with those of stored ones.
    private static func judging(_ name: String, _ isJudged: @escaping @Sendable ([Int]) -> Bool) -> Mutation {
        Mutation(.uniqueness, name) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                for update in changes.updates where update.key.schema.name == "venue" {
                    let schema = update.key.schema
                    guard let root = try await store.read(update.key.id, of: schema) else { continue }
                    let values = root.applying(update.changes).values
                    let isComplete: ([Int]) -> Bool = { $0.allSatisfy { values[$0] != .null } }
                    for unique in schema.uniques where isJudged(unique) && isComplete(unique) {
                        let same = unique.map { Condition.compare(.column($0), .equal, .literal(values[$0])) }
                        let found = try await store.read(ReadRequest(schema, where: .and(same))).items
                        if let other = found.first(where: { $0.id != root.id }) {
                            let columns = unique.map { schema.columns[$0].name }
                            throw .duplicate(Duplicate(entity: schema.name, columns: columns, existing: other.id))
                        }
                    }
                }
                return try await store.commit(changes)
            }
        }
    }
}

extension StorageObject {
    /// The text whose folded form is in a column.
    fileprivate func written(_ column: Int) -> String? {
        guard schema.columns[column].isDerived, case .text(let text) = values[column - 1] else { return nil }
        return text
    }
}

extension StringProtocol {
    fileprivate func starts(withLettersOf text: String) -> Bool { String(prefix(text.count)).folded == text }
}
