import LarderData
import LarderDomain
import LarderStoreContract
@testable import LarderStoreContractTests

private import Synchronization

extension Mutation {
    static let ordering: [Mutation] = [
        Mutation(.order, "puts missing values last") {
            $0.result = { request, result in
                guard let term = request.order.first, !term.isDescending, request.limit == nil else { return result }
                let isMissing: (StorageObject) -> Bool = { Place(of: $0, in: [term]).values == [.null] }
                let items = result.items.filter { !isMissing($0) } + result.items.filter(isMissing)
                return ReadResult(items: items, next: result.next, total: result.total)
            }
        },
        Mutation(.order, "skips the roots equal to the last one of a page") {
            $0.request = { request in
                var request = request
                let last = RawID(high: .max, low: .max)
                request.after = request.after.map { $0.values.isEmpty ? $0 : Place(values: $0.values, id: last) }
                return request
            }
        },
        Mutation(.order, "orders by ids in one direction only") {
            $0.request = { request in
                var request = request
                request.order = request.order.map { $0.operand == .id ? OrderTerm(.id) : $0 }
                return request
            }
        },
        Mutation(.order, "counts the page instead of the whole") {
            $0.result = { request, result in
                ReadResult(
                    items: result.items, next: result.next, total: request.includesTotal ? result.items.count : nil)
            }
        },
        Mutation(.order, "repeats the roots equal to the last one on the next page") {
            $0.request = { request in
                var request = request
                let first = RawID(high: 0, low: 0)
                request.after = request.after.map { $0.values.isEmpty ? $0 : Place(values: $0.values, id: first) }
                return request
            }
        },
        Mutation(.order, "lets ids decide downwards where the order goes down") {
            $0.request = { request in
                var request = request
                guard request.order.last?.isDescending == true else { return request }
                request.order.append(OrderTerm(.id, isDescending: true))
                return request
            }
        },
        Mutation(.order, "orders upwards alone") {
            $0.request = { request in
                var request = request
                request.order = request.order.map { OrderTerm($0.operand) }
                return request
            }
        },
        Mutation(.order, "orders by the first term alone") {
            $0.request = { request in
                var request = request
                request.order = Array(request.order.prefix(1))
                return request
            }
        },
        Mutation(.order, "sorts by the first column without a requested order") {
            $0.request = { request in
                var request = request
                if request.order.isEmpty { request.order = [OrderTerm(.column(0), isDescending: true)] }
                return request
            }
        },
        Mutation(.order, "sorts texts without case") {
            $0.result = { request, result in
                guard let term = request.order.first, request.order.count == 1, request.limit == nil else {
                    return result
                }
                func key(_ object: StorageObject) -> String? {
                    if case .text(let text) = term.operand.value(of: object) { text.lowercased() } else { nil }
                }
                guard result.items.contains(where: { key($0) != nil }) else { return result }
                let sorted = result.items.sorted { one, other in
                    let (first, second) = (key(one) ?? "", key(other) ?? "")
                    return first == second ? one.id < other.id : (first < second) != term.isDescending
                }
                return ReadResult(items: sorted, next: result.next, total: result.total)
            }
        },
        Mutation(.order, "says that every page is the last") {
            $0.result = { _, result in ReadResult(items: result.items, total: result.total) }
        },
        Mutation(.order, "expects another page after every full one") {
            $0.result = { request, result in
                guard result.items.count == request.limit, let last = result.items.last else { return result }
                let next = Place(of: last, in: request.order)
                return ReadResult(items: result.items, next: next, total: result.total)
            }
        },
        Mutation([.order, .concurrency], "gives the total of the read before, and 1 at first") {
            let last = Kept(1)
            $0.result = { _, result in
                let total = result.total.map { last.exchange($0) }
                return ReadResult(items: result.items, next: result.next, total: total)
            }
        },
    ]
}

/// The state of a mutation.
final class Kept<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    /// Sets the state and returns the previous one.
    func exchange(_ new: Value) -> Value {
        value.withLock { value in
            defer { value = new }
            return value
        }
    }

    /// Computes a new state from the previous one and returns it.
    func change(_ body: (Value) -> Value) -> Value {
        value.withLock { value in
            value = body(value)
            return value
        }
    }
}
