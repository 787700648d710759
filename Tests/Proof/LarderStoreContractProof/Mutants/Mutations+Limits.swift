import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract

extension Mutation {
    /// Defects at limits of sizes, and in the identity of a store.
    static let limits: [Mutation] = [
        Mutation(.commits, "refuses undeclared values before it measures a change set") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                for object in changes.inserts where object.values.count != object.schema.columns.count {
                    throw .invalid(
                        InvalidField(entity: object.schema.name, id: object.id, field: "?", reason: "has other members")
                    )
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.queries, "ends a page of versions at a limit of bytes") {
            $0.result = { request, result in
                guard request.content == .versions, request.byteLimit != nil, let first = result.items.first else {
                    return result
                }
                return ReadResult(items: [first], next: Place(of: first, in: request.order), total: result.total)
            }
        },
        Mutation(.storeLife, "has the identity of every store of its type") { $0.sharesIdentity = true },
    ]
}
