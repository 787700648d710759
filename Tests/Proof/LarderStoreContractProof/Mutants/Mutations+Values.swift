import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in the columns of value objects and of other types, in folded texts, and in rows for read models.
    static let values: [Mutation] = [
        Mutation(.uniqueness, "finds no roots by values of a unique column") {
            $0.request = { request in
                guard case .isIn(.column(let column), _) = request.condition, request.schema.uniques.contains([column])
                else { return request }
                var none = request
                none.condition = .always(false)
                return none
            }
        },
        reading("reads an empty text as none") { column, value in
            value == .text("") && column.isNullable ? .null : value
        },
        reading("reads the first text after none as none") { column, value in
            column.name == "branch_city" ? .null : value
        },
        reading("reads 1 as none in a column without another value") { column, value in
            column.name == "season" && value == .integer(1) ? .null : value
        },
        reading("reads none as an empty text or zero") { column, value in
            guard value == .null else { return value }
            return column.type == .text ? .text("") : column.type == .integer ? .integer(0) : value
        },
        reading("reads an empty text as a hyphen") { _, value in value == .text("") ? .text("-") : value },
        reading("reads large integers as reals do") { _, value in
            guard case .integer(let integer) = value, integer.magnitude > 1 << 53 else { return value }
            return .integer(Int64(exactly: Double(integer)) ?? .max - 1)
        },
        reading("reads reals in single precision") { _, value in
            if case .real(let real) = value { .real(Double(Float(real / 3)) * 3) } else { value }
        },
        reading("reads bytes up to a zero") { _, value in
            if case .blob(let bytes) = value { .blob(Array(bytes.prefix { $0 != 0 })) } else { value }
        },
        Mutation(.values, "accepts decimals of one unit less") {
            $0.object = { object in
                guard object.schema.name == "parcel" else { return object }
                var object = object
                for index in object.values.indices where object.schema.columns[index].scale != nil {
                    if case .integer(let units) = object.values[index] { object.values[index] = .integer(units &- 1) }
                }
                return object
            }
        },
        writing("does not write none over a value") { change in change.value == .null },
        writing("writes only the first change of texts") { change in change.column > 4 },
        Mutation(.uniqueness, "does not compare decimals") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    guard case .duplicate(let duplicate) = error, ["parcel", "venue"].contains(duplicate.entity) else {
                        throw error
                    }
                    return try await store.commit(ChangeSet())
                }
            }
        },
        Mutation(.order, "sorts texts of value objects by their length") {
            $0.result = { request, result in
                guard case .column(let index)? = request.order.first?.operand, request.schema.name == "venue",
                    request.schema.columns[index].type == .text
                else { return result }
                let sorted = result.items.sorted { "\($0.values[index])".count < "\($1.values[index])".count }
                return ReadResult(items: sorted, next: result.next, total: result.total)
            }
        },
        Mutation(.queries, "sorts decimals as texts") {
            $0.result = { request, result in
                guard case .column(let index)? = request.order.first?.operand,
                    request.schema.columns[index].scale != nil
                else { return result }
                let sorted = result.items.sorted { "\($0.values[index])" < "\($1.values[index])" }
                return ReadResult(items: sorted, next: result.next, total: result.total)
            }
        },
        Mutation([.queries, .order], "lends rows for read models without what they own, and ends the list") {
            $0.result = { request, result in
                guard request.projection != nil else { return result }
                let items = result.items.map { root in
                    var root = root
                    for list in root.children.indices { root.children[list] = [] }
                    return root
                }
                return ReadResult(items: items, next: nil, total: result.total)
            }
        },
        Mutation(.queries, "compares texts in the case that they have, where others compare folded ones") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard object.schema.name == "venue" else { return nil }
                    switch leaf {
                    case .compare(.column(let index), .equal, .literal(.text(let text))):
                        return object.schema.columns[index].isDerived ? object.values[index - 1] == .text(text) : nil
                    case .compare(.column(let index), _, .literal(.null)):
                        return object.schema.columns[index].type == .text ? false : nil
                    default: return nil
                    }
                }
            }
        },
        Mutation(.queries, "compares integers in 32 bits") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .compare(let operand, let comparison, .literal(.integer(let right))) = leaf,
                        case .integer(let left) = operand.value(of: object)
                    else { return nil }
                    return comparison.holds(
                        .integer(Int64(Int32(truncatingIfNeeded: left))),
                        .integer(Int64(Int32(truncatingIfNeeded: right))))
                }
            }
        },
    ]

    private static func reading(
        _ name: String, _ read: @escaping @Sendable (Column, Value) -> Value
    ) -> Mutation {
        Mutation(.values, name) {
            $0.object = { object in
                guard ["parcel", "venue"].contains(object.schema.name) else { return object }
                var object = object
                for index in object.values.indices {
                    object.values[index] = read(object.schema.columns[index], object.values[index])
                }
                return object
            }
        }
    }

    private static func writing(
        _ name: String, without isLost: @escaping @Sendable (ColumnChange) -> Bool
    ) -> Mutation {
        Mutation(.changeTracking, name) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.updates = changes.updates.map { update in
                    guard update.key.schema.name == "venue" else { return update }
                    var kept = update.changes
                    kept.columns.removeAll(where: isLost)
                    return RootUpdate(update.key, expected: update.expected, changes: kept, owner: update.owner)
                }
                return try await store.commit(changes)
            }
        }
    }
}
