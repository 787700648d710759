import LarderData
import LarderDomain
import LarderStoreContract

extension Mutation {
    static let reading: [Mutation] = [
        Mutation(.values, "gives an empty text back as missing") {
            $0.object = { $0.mapValues { $0 == .text("") ? .null : $0 } }
        },
        Mutation(.values, "keeps numbers in 32 bits") {
            $0.object = { object in
                object.mapValues { if case .real(let real) = $0 { .real(Double(Float(real))) } else { $0 } }
            }
        },
        Mutation(.commits, "does not raise versions") {
            $0.object = { object in
                var object = object
                object.version = min(object.version, 1)
                return object
            }
        },
        Mutation(.queries, "takes a comparison with what is missing for unknown, as SQL does") {
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
        Mutation(.order, "puts what is missing last") {
            $0.result = { request, result in
                guard let term = request.order.first, !term.isDescending, request.limit == nil else { return result }
                let isMissing: (StorageObject) -> Bool = { Place(of: $0, in: [term]).values == [.null] }
                let items = result.items.filter { !isMissing($0) } + result.items.filter(isMissing)
                return ReadResult(items: items, next: result.next, total: result.total)
            }
        },
        Mutation(.order, "skips those that are equal to the last one of a page") {
            $0.request = { request in
                var request = request
                let last = RawID(high: .max, low: .max)
                request.after = request.after.map { $0.values.isEmpty ? $0 : Place(values: $0.values, id: last) }
                return request
            }
        },
        Mutation(.order, "counts the page instead of the whole") {
            $0.result = { request, result in
                ReadResult(
                    items: result.items, next: result.next, total: request.includesTotal ? result.items.count : nil)
            }
        },
        Mutation(.graph, "gives each link back once, in the order of ids") {
            $0.object = { object in
                var object = object
                object.links = object.links.map { Set($0).sorted() }
                return object
            }
        },
        Mutation(.graph, "loses what owned objects own") {
            $0.object = { object in
                var object = object
                for list in object.children.indices {
                    for child in object.children[list].indices {
                        object.children[list][child].children = object.children[list][child].children.map { _ in [] }
                    }
                }
                return object
            }
        },
        Mutation(.changes, "tells of commits in another order") {
            $0.changes = { stream in
                let (reversed, continuation) = AsyncStream.makeStream(of: CommittedChanges.self)
                Task {
                    let all = await stream.reduce(into: []) { $0.append($1) }
                    for commit in all.reversed() { continuation.yield(commit) }
                    continuation.finish()
                }
                return reversed
            }
        },
        Mutation(.changes, "tells of the first commit twice") {
            $0.changes = { stream in
                let (doubled, continuation) = AsyncStream.makeStream(of: CommittedChanges.self)
                Task {
                    var isFirst = true
                    for await commit in stream {
                        continuation.yield(commit)
                        if isFirst { continuation.yield(commit) }
                        isFirst = false
                    }
                    continuation.finish()
                }
                return doubled
            }
        },
        Mutation(.storeLife, "goes on after it was closed") { $0.closes = false },
        Mutation(.storeLife, "forgets what it acknowledged") { $0.pretends = [.durable] },
    ]
}

extension StorageObject {
    fileprivate func mapValues(_ transform: (Value) -> Value) -> StorageObject {
        var object = self
        object.values = values.map(transform)
        return object
    }
}

extension Condition {
    /// The condition where a comparison with null is neither true nor false.
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
