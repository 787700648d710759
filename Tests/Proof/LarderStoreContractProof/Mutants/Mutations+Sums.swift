import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in counts and sums, in signed zeros, and in the letters i.
    static let sums: [Mutation] = [
        Mutation(.queries, "counts a missing value as zero") {
            $0.tally = { (request, store) async throws(PersistencyError) in
                var counts = try await store.counts(request)
                guard case .column(let column) = request.key, request.schema.columns[column].type == .integer else {
                    return counts
                }
                let isNull = Condition.compare(.column(column), .equal, .literal(.null))
                let all = ReadRequest(request.schema, where: .and([request.condition, isNull]))
                let missing = try await store.read(all).items.count
                if missing > 0 { counts[.integer(0), default: 0] += missing }
                return counts
            }
        },
        Mutation(.queries, "omits empty texts and bytes from counts") {
            $0.counts = { $0.filter { $0.key != .text("") && $0.key != .blob([]) } }
        },
        Mutation(.queries, "counts 500 values") {
            $0.counts = { Dictionary(uniqueKeysWithValues: $0.map { ($0.key, $0.value) }.prefix(500)) }
        },
        Mutation(.queries, "sums over owned objects without a missing value") {
            $0.matches = { condition, object in
                guard "\(condition)".contains("sum"), object.schema.name == "magazine" else {
                    return condition.holds(for: object)
                }
                var object = object
                object.children[1].removeAll { $0.values.contains(.null) }
                return condition.holds(for: object)
            }
        },
        Mutation(.queries, "sums over owned objects as reals") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .compare(let operand, let comparison, .literal(.integer(let integer))) = leaf,
                        let sum = operand.realSum(in: object)
                    else { return nil }
                    return comparison.holds(.real(sum), .real(Double(integer)))
                }
            }
        },
        Mutation(.queries, "sorts by sums over owned objects as reals") {
            $0.result = { request, result in
                guard let term = request.order.first, request.after == nil, result.next == nil,
                    result.items.allSatisfy({ term.operand.realSum(in: $0) != nil })
                else { return result }
                let sums = result.items.map { (item: $0, sum: term.operand.realSum(in: $0) ?? 0) }
                let sorted = sums.sorted { one, other in
                    if one.sum == other.sum { return one.item.id < other.item.id }
                    return (one.sum < other.sum) != term.isDescending
                }
                return ReadResult(items: sorted.map(\.item), total: result.total)
            }
        },
        Mutation(.queries, "adds to a sum over owned objects, and has a value where this overflows") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .compare(.arithmetic(let sum, .add, let other), let comparison, let right) = leaf,
                        case .childSum = sum, case .literal(let right) = right,
                        case .integer(let one) = sum.value(of: object),
                        case .integer(let two) = other.value(of: object)
                    else { return nil }
                    let (value, overflows) = one.addingReportingOverflow(two)
                    return comparison.holds(.integer(overflows ? one < 0 ? .min : .max : value), right)
                }
            }
        },
        ranking("ranks by the first 100 words of a text") { Array($0.prefix(100)) },
        ranking("ranks all letters with a word alike") { Array($0.prefix(1)) },
        Mutation(.queries, "searches for 15 words") {
            $0.request = { request in
                var request = request
                if case .and(let parts) = request.condition, parts.count > 15 {
                    request.condition = .and(Array(parts.prefix(15)))
                }
                return request
            }
        },
        Mutation(.queries, "distinguishes negative zero from zero") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .compare(_, .equal, .literal(.real(let zero))) = leaf, zero == 0, zero.sign == .minus
                    else { return nil }
                    return false
                }
            }
        },
        Mutation(.queries, "does not find zero in a list with negative zero") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .isIn(let operand, let values) = leaf else { return nil }
                    let isNegative = values.contains { value in
                        if case .real(let real) = value { real == 0 && real.sign == .minus } else { false }
                    }
                    return isNegative ? values.subtracting([.real(0)]).contains(operand.value(of: object)) : nil
                }
            }
        },
        Mutation(.order, "sorts negative zero before zero") {
            $0.request = { request in
                var request = request
                request.order = request.order.map { term in
                    guard case .coalesce(let first, .literal(.real(let zero))) = term.operand, zero == 0,
                        zero.sign == .minus
                    else { return term }
                    let below = Operand.literal(.real(-.leastNonzeroMagnitude))
                    return OrderTerm(.coalesce(first, below), isDescending: term.isDescending)
                }
                return request
            }
        },
        Mutation(.order, "continues after negative zero as after a smaller number") {
            $0.request = { request in
                guard let after = request.after else { return request }
                let values = after.values.map { value in
                    guard case .real(let real) = value, real == 0, real.sign == .minus else { return value }
                    return Value.real(-.leastNonzeroMagnitude)
                }
                var request = request
                request.after = Place(values: values, id: after.id)
                return request
            }
        },
        Mutation(.queries, "takes unique texts for equal that are equal in upper case") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                for (number, insert) in changes.inserts.enumerated() where insert.schema.name == "member" {
                    let others = try await store.read(ReadRequest(insert.schema)).items + changes.inserts[..<number]
                    let twin = others.first { other in
                        other.schema.name == "member" && other.values[0] != insert.values[0]
                            && other.values[0].upper == insert.values[0].upper
                    }
                    guard let twin else { continue }
                    throw .duplicate(Duplicate(entity: "member", columns: ["name"], existing: twin.id))
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.queries, "compares texts without combining dots") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard case .compare(let one, .equal, let other) = leaf else { return nil }
                    return one.value(of: object).withoutDots == other.value(of: object).withoutDots
                }
            }
        },
        Mutation(.queries, "searches texts in lower case, and not their words") {
            $0.matches = { condition, object in
                condition.holds(for: object) { leaf in
                    guard object.schema.name == "letter", case .anyChild(_, let test) = leaf else { return nil }
                    let texts = object.values.compactMap {
                        if case .text(let text) = $0 { text.lowercased() } else { nil }
                    }
                    switch test {
                    case .compare(_, .equal, .literal(.text(let word))), .hasPrefix(_, let word):
                        return texts.contains { $0.contains(word) }
                    default: return nil
                    }
                }
            }
        },
    ]

    /// Sorts by other words of an aggregate than those that it has.
    private static func ranking(
        _ name: String, _ change: @escaping @Sendable ([Substring]) -> [Substring]
    ) -> Mutation {
        Mutation(.queries, name) {
            $0.answer = { (request, store) async throws(PersistencyError) in
                guard let list = request.schema.children.firstIndex(where: { $0.name == "words" }),
                    !request.order.isEmpty
                else {
                    return try await store.read(request)
                }
                var all = request
                (all.order, all.after, all.limit, all.content) = ([], nil, nil, .complete)
                let objects = try await store.read(all).items
                let changed = objects.map { object in
                    var object = object
                    for index in object.children[list].indices {
                        let entries = WordText(object.children[list][index].values[0]).text.split(separator: " ")
                        object.children[list][index].values[0] = .text(change(entries).map { " \($0)" }.joined())
                    }
                    return object
                }
                let byID = Dictionary(uniqueKeysWithValues: objects.map { ($0.id, $0) })
                let page = request.answer(from: changed.filter { request.condition.holds(for: byID[$0.id] ?? $0) })
                return ReadResult(items: page.items.compactMap { byID[$0.id] }, next: page.next, total: page.total)
            }
        }
    }
}

extension Value {
    fileprivate var upper: String { if case .text(let text) = self { text.uppercased() } else { "" } }

    fileprivate var withoutDots: Value {
        guard case .text(let text) = self else { return self }
        return .text(String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{307}" })))
    }
}

extension Operand {
    /// The sum over owned objects, computed with reals; `nil` for other operands.
    fileprivate func realSum(in object: StorageObject) -> Double? {
        guard case .childSum(let list, let column, let condition) = self, object.children.indices.contains(list) else {
            return nil
        }
        return object.children[list].filter(condition.holds).reduce(0) { sum, child in
            if case .integer(let integer) = child.values[column] { sum + Double(integer) } else { sum }
        }
    }
}
