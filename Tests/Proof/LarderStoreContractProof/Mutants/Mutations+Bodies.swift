import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in the errors of bodies, and in schemas that are not roots.
    static let bodies: [Mutation] = [
        failing("swallows the error of a body that reads by ids", .ids) { (_, _, _) throws(PersistencyError) in },
        failing("swallows the error of a body that reads at once", .atOnce) { (_, _, _) throws(PersistencyError) in },
        failing("calls a body again after its error", .page) { (error, body, rows) throws(PersistencyError) in
            try body(&rows)
            throw error
        },
        failing("calls a body that reads by ids again after its error", .ids) {
            (error, body, rows) throws(PersistencyError) in
            try body(&rows)
            throw error
        },
        failing("reports the error of a body as its own failure", .page) { (error, _, _) throws(PersistencyError) in
            throw .unavailable(Unavailable(.failed, "a read failed", cause: error))
        },
        failing("reports the error of a body that reads by ids as a cancellation", .ids) {
            (_, _, _) throws(PersistencyError) in throw .cancelled
        },
        failing("repeats a read by ids if the body reports that it is busy", .ids) {
            (error, body, rows) throws(PersistencyError) in
            guard case .unavailable(let trouble) = error, trouble.reason == .busy else { throw error }
            try body(&rows)
        },
        failing("repeats a page if the body reports a conflict", .page) {
            (error, body, rows) throws(PersistencyError) in
            guard case .conflict = error else { throw error }
            try body(&rows)
        },
        relending("lends the rows of a page again that the body has not read", .page),
        relending("lends the rows of a read by ids again that the body has not read", .ids),
        Mutation(.queries, "takes the schemas of owned objects for roots without objects") { mutation in
            mutation.lookUp = { (ids, schema, store) async throws(PersistencyError) in
                store.isOwned(schema) ? [] : try await store.read(ids, of: schema)
            }
            mutation.answer = { (request, store) async throws(PersistencyError) in
                store.isOwned(request.schema) ? ReadResult(items: []) : try await store.read(request)
            }
        },
        Mutation(.queries, "counts no objects of schemas that are not roots") {
            $0.tally = { (request, store) async throws(PersistencyError) in
                let isRoot = store.schemas.roots.contains { $0.name == request.schema.name }
                return isRoot ? try await store.counts(request) : [:]
            }
        },
        Mutation(.queries, "finds no ids of schemas that are not roots without asking") {
            $0.lookUp = { (ids, schema, store) async throws(PersistencyError) in
                ids.isEmpty ? [] : try await store.read(ids, of: schema)
            }
        },
        Mutation(.commits, "ignores deletions and reads of owned objects") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.deletes.removeAll { store.isOwned($0.key.schema) }
                changes.reads.removeAll { store.isOwned($0.key.schema) }
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "takes updates of owned objects for stale") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                for update in changes.updates where store.isOwned(update.key.schema) {
                    throw .conflict(Conflict(update.key.reference, expected: update.expected, found: nil))
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "ignores removals from roots that it does not have") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.removals.removeAll { removal in
                    !store.schemas.roots.contains { $0.name == removal.reference.root.name }
                }
                return try await store.commit(changes)
            }
        },
    ]

    /// Calls the body again for each row that it has not read.
    private static func relending(_ name: String, _ kind: ReadKind) -> Mutation {
        Mutation(.queries, name) {
            $0.lending = { (asked, body, rows) throws(PersistencyError) in
                try body(&rows)
                while asked == kind, try rows.next() { try Rows.lend([try rows.storageObject()], to: body) }
            }
        }
    }

    /// Treats the error of a body differently.
    private static func failing(
        _ name: String, _ kind: ReadKind,
        _ handle: @escaping @Sendable (PersistencyError, RowVisitor, inout Rows) throws(PersistencyError) -> Void
    ) -> Mutation {
        Mutation(.queries, name) { mutation in
            let stored = mutation.remember()
            if kind == .atOnce { mutation.lookUpAtOnce = { id in stored.change { $0 }[id].map { [$0] } ?? [] } }
            mutation.lending = { (asked, body, rows) throws(PersistencyError) in
                do throws(PersistencyError) {
                    try body(&rows)
                } catch {
                    guard asked == kind else { throw error }
                    try handle(error, body, &rows)
                }
            }
        }
    }
}

extension MemoryStore {
    /// Whether a schema is that of owned objects.
    fileprivate nonisolated func isOwned(_ schema: EntitySchema) -> Bool {
        schemas[schema.name] != nil && !schemas.roots.contains { $0.name == schema.name }
    }
}
