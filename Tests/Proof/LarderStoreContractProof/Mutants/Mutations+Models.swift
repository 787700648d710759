import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

private import Synchronization

extension Mutation {
    /// Defects in rows for read models, and in the order of folded texts.
    static let models: [Mutation] = [
        Mutation(.queries, "keeps the rows that it has lent for read models") { mutation in
            let kept = Mutex<[RawID: StorageObject]>([:])
            mutation.result = { request, result in
                guard request.projection != nil else { return result }
                return result.map { root in
                    kept.withLock { kept in
                        let row = kept[root.id] ?? root
                        kept[root.id] = row
                        return row
                    }
                }
            }
        },
        projecting("lends rows for read models with the owned objects that the condition selects") { root, request in
            for case .anyChild(let list, let inner) in request.condition.leaves {
                root.children[list].removeAll { !inner.holds(for: $0) }
            }
        },
        projecting("lends rows for read models with each link once") { root, _ in
            root.links = root.links.map { Array(Set($0)) }
        },
        Mutation(.order, "continues a list of folded texts with the next text") {
            $0.result = { request, result in
                guard let column = request.foldedColumn, let text = request.after?.values.first else { return result }
                return ReadResult(
                    items: result.items.filter { $0.values[column] != text }, next: result.next, total: result.total)
            }
        },
        Mutation(.order, "sorts equal folded texts by how they are written") {
            $0.result = { request, result in
                guard let column = request.foldedColumn else { return result }
                var runs: [[StorageObject]] = []
                for root in result.items {
                    if let last = runs.last?.last, last.values[column] == root.values[column] {
                        runs[runs.count - 1].append(root)
                    } else {
                        runs.append([root])
                    }
                }
                let items = runs.flatMap { run in
                    run.sorted { Value.precedes($0.values[column - 1], $1.values[column - 1]) }
                }
                return ReadResult(items: items, next: result.next, total: result.total)
            }
        },
    ]

    private static func projecting(
        _ name: String, _ change: @escaping @Sendable (inout StorageObject, ReadRequest) -> Void
    ) -> Mutation {
        Mutation(.queries, name) {
            $0.result = { request, result in
                guard request.projection != nil else { return result }
                return result.map { root in
                    var root = root
                    change(&root, request)
                    return root
                }
            }
        }
    }
}

extension ReadRequest {
    /// The column of folded texts that the order starts with.
    fileprivate var foldedColumn: Int? {
        guard schema.name == "venue", case .column(let index)? = order.first?.operand, schema.columns[index].isDerived
        else { return nil }
        return index
    }
}

extension ReadResult<StorageObject> {
    fileprivate func map(_ change: (StorageObject) -> StorageObject) -> ReadResult {
        ReadResult(items: items.map(change), next: next, total: total)
    }
}
