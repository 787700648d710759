import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Stores that are correct for short texts, lists, and pages, and defective for long ones.
    static let large: [Mutation] = [
        Mutation(.order, "answers each 500 values of a list on their own, and joins the answers") {
            $0.answer = { (request, store) async throws(PersistencyError) in
                guard case .isIn(let operand, let values) = request.condition, request.limit == nil else {
                    return try await store.read(request)
                }
                var (items, seen): ([StorageObject], Set<RawID>) = ([], [])
                for start in stride(from: 0, to: values.count, by: 500) {
                    var part = request
                    part.condition = .isIn(operand, Set(Array(values)[start..<min(start + 500, values.count)]))
                    items += try await store.read(part).items.filter { seen.insert($0.id).inserted }
                }
                return ReadResult(items: items, total: request.includesTotal ? items.count : nil)
            }
        },
        shortening("reads the owned objects of the first 500 roots of a page") { root, place in
            if place >= 500 { root.children = root.children.map { _ in [] } }
        },
        shortening("reads nested owned objects of the first 1,000 roots of a page") { root, place in
            if place >= 1_000 {
                root = root.mapChildren { list in
                    list.map { child in
                        var child = child
                        child.children = child.children.map { _ in [] }
                        return child
                    }
                }
            }
        },
        shortening("reads the links of the first 1,000 roots of a page") { root, place in
            if place >= 1_000 { root.links = root.links.map { _ in [] } }
        },
        Mutation(.order, "reads the owned objects of the first 500 roots of a read by ids") {
            $0.found = { _, _, objects in
                objects.enumerated().map { place, root in
                    var root = root
                    if place >= 500 { root.children = root.children.map { _ in [] } }
                    return root
                }
            }
        },
        Mutation(.order, "sorts texts by their first 1,024 bytes") {
            $0.result = { request, result in
                guard let term = request.order.first, request.order.count == 1, request.limit == nil,
                    result.items.contains(where: { term.operand.value(of: $0).isLonger(than: 1_024) })
                else { return result }
                let keyed = result.items.map { ($0, term.operand.value(of: $0).first(1_024)) }
                let sorted = keyed.sorted { one, other in
                    if one.1 == other.1 { return one.0.id < other.0.id }
                    return Value.precedes(one.1, other.1) != term.isDescending
                }
                return ReadResult(items: sorted.map(\.0), next: result.next, total: result.total)
            }
        },
        searching("searches the first 100 links of a list") { condition, object in
            guard case .links(let list, let id) = condition else { return nil }
            return object.links[list].prefix(100).contains(id)
        },
        searching("searches the first 100 links of an owned object") { condition, object in
            guard case .anyChild(let list, .links(let inner, let id)) = condition else { return nil }
            return object.children[list].contains { $0.links[inner].prefix(100).contains(id) }
        },
        searching("searches the first 100 owned objects of a list") { condition, object in
            guard case .anyChild(let list, let inner) = condition else { return nil }
            return object.children[list].prefix(100).contains { inner.holds(for: $0) }
        },
        searching("searches the first 100 objects that an owned object owns") { condition, object in
            guard case .anyChild(let list, .anyChild(let nested, let inner)) = condition else { return nil }
            return object.children[list].contains { $0.children[nested].prefix(100).contains { inner.holds(for: $0) } }
        },
        searching("sums the first 100 owned objects of a list") { condition, object in
            guard case .compare(.childSum, _, _) = condition else { return nil }
            return condition.holds(for: object.mapChildren { Array($0.prefix(100)) })
        },
        searching("compares texts by their first 1,024 bytes") { condition, object in
            guard case .compare(let operand, let comparison, .literal(let value)) = condition,
                value.isLonger(than: 1_024)
            else { return nil }
            return comparison.holds(operand.value(of: object).first(1_024), value.first(1_024))
        },
        searching("looks for a text in the first 4,000 bytes of another") { condition, object in
            guard case .contains(let operand, let part) = condition else { return nil }
            let (text, short) = (operand.value(of: object), operand.value(of: object).first(4_000))
            return text.isLonger(than: 4_000) ? Condition.contains(.literal(short), part).holds(for: object) : nil
        },
        searching("compares the first 4,000 bytes of the beginnings of texts") { condition, object in
            guard case .hasPrefix(let operand, let part) = condition, Value.text(part).isLonger(than: 4_000),
                case .text(let start) = Value.text(part).first(4_000)
            else { return nil }
            return Condition.hasPrefix(operand, start).holds(for: object)
        },
        searching("finds texts in a list by their first 65,536 bytes") { condition, object in
            guard case .isIn(let operand, let values) = condition, values.contains(where: { $0.isLonger(than: 65_536) })
            else { return nil }
            return values.map { $0.first(65_536) }.contains(operand.value(of: object).first(65_536))
        },
    ]

    /// Changes roots of a page by their position on it.
    private static func shortening(
        _ name: String, _ change: @escaping @Sendable (inout StorageObject, Int) -> Void
    ) -> Mutation {
        Mutation(.order, name) {
            $0.result = { _, result in
                var items = result.items
                for place in items.indices { change(&items[place], place) }
                return ReadResult(items: items, next: result.next, total: result.total)
            }
        }
    }

    private static func searching(
        _ name: String, _ leaf: @escaping @Sendable (Condition, StorageObject) -> Bool?
    ) -> Mutation {
        Mutation(.queries, name) {
            $0.matches = { condition, object in condition.holds(for: object) { leaf($0, object) } }
        }
    }
}

extension Value {
    fileprivate func isLonger(than count: Int) -> Bool {
        if case .text(let text) = self { text.utf8.count > count } else { false }
    }

    /// A text truncated to its first bytes; any other value unchanged.
    fileprivate func first(_ count: Int) -> Value {
        guard case .text(let text) = self, text.utf8.count > count else { return self }
        return .text(String(decoding: text.utf8.prefix(count), as: UTF8.self))
    }
}
