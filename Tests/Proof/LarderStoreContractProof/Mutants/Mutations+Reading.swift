import LarderData
import LarderDomain
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    static let reading: [Mutation] = [
        // Random queries do not combine one id with another condition; cursors at long values do.
        Mutation(.order, "takes any root for an id with another condition") {
            $0.request = { request in
                guard request.limit == 1, case .and(let parts) = request.condition else { return request }
                var request = request
                request.condition = .and(parts.filter { if case .compare(.id, .equal, _) = $0 { false } else { true } })
                return request
            }
        },
        Mutation(.values, "gives an empty text back as missing") {
            $0.object = { $0.mapValues { $0 == .text("") ? .null : $0 } }
        },
        Mutation(.values, "keeps numbers in 32 bits") {
            $0.object = { object in
                object.mapValues { if case .real(let real) = $0 { .real(Double(Float(real))) } else { $0 } }
            }
        },
        Mutation(.values, "loses the end of a long text") {
            $0.object = { object in
                object.mapValues { if case .text(let text) = $0 { .text(String(text.prefix(10_000))) } else { $0 } }
            }
        },
        Mutation(.values, "takes capitals for small letters") {
            $0.object = { object in
                object.mapValues { if case .text(let text) = $0 { .text(text.lowercased()) } else { $0 } }
            }
        },
        Mutation(.values, "takes accents and letters apart") {
            $0.object = { object in
                object.mapValues { if case .text(let text) = $0 { .text(text.decomposed) } else { $0 } }
            }
        },
        Mutation(.values, "keeps instants to the millisecond") {
            $0.object = { object in
                var object = object
                for (index, column) in object.schema.columns.enumerated() where column.type == .timestamp {
                    guard case .integer(let instant) = object.values[index] else { continue }
                    object.values[index] = .integer(instant / 1000 * 1000)
                }
                return object
            }
        },
        Mutation(.values, "keeps integers in 53 bits") {
            $0.object = { object in
                object.mapValues {
                    guard case .integer(let integer) = $0 else { return $0 }
                    return .integer(Int64(exactly: Double(integer)) ?? .max)
                }
            }
        },
        Mutation([.commits, .lifecycle, .conflicts], "does not raise versions") {
            $0.object = { object in
                var object = object
                object.version = min(object.version, 1)
                return object
            }
        },
        Mutation(.graph, "gives each link back once, in the order of ids") {
            $0.object = { object in
                var object = object
                object.links = object.links.map { Set($0).sorted() }
                return object
            }
        },
        Mutation([.graph, .changeTracking], "gives links back in reverse") {
            $0.object = { object in
                var object = object
                object.links = object.links.map { $0.reversed() }
                return object
            }
        },
        Mutation([.lifecycle, .conflicts, .transactions], "counts versions from 0") {
            $0.object = { object in
                var object = object
                object.version -= 1
                return object
            }
        },
        Mutation([.graph, .changeTracking], "loses the owned objects of owned objects") {
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
                let (reversed, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
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
                let (doubled, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
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
        Mutation(.storeLife, "continues after it was closed") { $0.closes = false },
        Mutation([.storeLife, .order], "loses acknowledged commits") { $0.pretends = [.durable] },
    ]
}

extension StorageObject {
    fileprivate func mapValues(_ transform: (Value) -> Value) -> StorageObject {
        var object = self
        object.values = values.map(transform)
        return object
    }
}

extension String {
    /// The text with some letters decomposed into a letter and a combining accent.
    fileprivate var decomposed: String {
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "\u{E9}": scalars.append(contentsOf: "e\u{301}".unicodeScalars)
            case "\u{C5}": scalars.append(contentsOf: "A\u{30A}".unicodeScalars)
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}
