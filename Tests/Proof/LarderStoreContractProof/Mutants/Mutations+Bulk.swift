import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in updates by query.
    static let bulk: [Mutation] = [
        applying(
            "ignores updates by query",
            in: [.lifecycle, .changes, .concurrency, .queries, .commits, .uniqueness, .transactions]
        ) {
            (_, store) async throws(PersistencyError) in
            CommitReceipt(token: try await store.commit(ChangeSet()).token, bulkCount: 3)
        },
        changing("updates all entities by query", in: [.lifecycle, .queries]) {
            BulkChange($0.schema, where: .always(true), $0.assignments)
        },
        naming("leaves out one entity of an update by query", in: [.lifecycle, .changes]) {
            (named, store) async throws(PersistencyError) in
            try await store.commit(ChangeSet(updates: Array(named.updates.dropFirst())))
        },
        changing("ignores the ranges of updates by query", in: [.lifecycle]) { bulk in
            BulkChange(
                bulk.schema, where: bulk.condition,
                bulk.assignments.map { assignment in
                    guard case .add(let amount, .integer, _, _) = assignment.change else { return assignment }
                    return ColumnAssignment(
                        column: assignment.column, .add(amount % (1 << 40), .integer(.min), .integer(.max), ""))
                })
        },
        applying("does not judge what a change set with an update by query has read", in: [.commits]) {
            (changes, store) async throws(PersistencyError) in
            var changes = changes
            changes.reads = []
            return try await store.commit(changes)
        },
        applying("commits nothing but the update of a change set with an update by query", in: [.commits]) {
            (changes, store) async throws(PersistencyError) in
            try await store.commit(ChangeSet(id: changes.id, reads: changes.reads, bulk: changes.bulk))
        },
        applying("miscounts updates by query", in: [.lifecycle, .queries]) {
            (changes, store) async throws(PersistencyError) in
            let receipt = try await store.commit(changes)
            return CommitReceipt(token: receipt.token, bulkCount: receipt.bulkCount + 1)
        },
        rewriting("writes equal values in updates by query", in: [.changeTracking]) { $0 },
        rewriting("adds to nothing as to zero in updates by query", in: [.lifecycle]) { root in
            var root = root
            for (index, column) in root.schema.columns.enumerated() where column.type == .integer {
                if root.values[index] == .null { root.values[index] = .integer(0) }
            }
            return root
        },
        naming("names the entities of updates by query", in: [.changes]) {
            (named, store) async throws(PersistencyError) in
            try await store.commit(named)
        },
        naming("updates entities by query one by one", in: [.uniqueness]) {
            (named, store) async throws(PersistencyError) in
            for update in named.updates { _ = try await store.commit(ChangeSet(updates: [update])) }
            return try await store.commit(ChangeSet())
        },
        naming("raises no versions in updates by query", in: [.lifecycle, .transactions]) {
            (named, store) async throws(PersistencyError) in
            var changes = ChangeSet()
            changes.keepsVersions = true
            for update in named.updates {
                guard let root = try await store.read([update.key.id], of: update.key.schema).first else { continue }
                changes.deletes.append(RootExpectation(root.key, version: root.version))
                changes.inserts.append(root.applying(update.changes))
            }
            return try await store.commit(changes)
        },
        naming("reads for an update by query, lets others in, and writes then", in: [.concurrency]) {
            (named, store) async throws(PersistencyError) in
            for _ in 0..<8 { await Task.yield() }
            for update in named.updates {
                guard let root = try await store.read([update.key.id], of: update.key.schema).first else { continue }
                _ = try? await store.commit(
                    ChangeSet(updates: [RootUpdate(root.key, expected: root.version, changes: update.changes)]))
            }
            return try await store.commit(ChangeSet())
        },
        applying("does not report missing targets and duplicates of updates by query", in: [.deleteRules, .uniqueness])
        {
            (changes, store) async throws(PersistencyError) in
            do throws(PersistencyError) {
                return try await store.commit(changes)
            } catch {
                return try await store.commit(ChangeSet())
            }
        },
        telling("publishes updates by query without their entities", in: [.changes]) {
            CommittedChanges(token: $0.token, id: $0.id, entries: $0.entries)
        },
    ]

    private typealias Apply =
        @Sendable (ChangeSet, MemoryStore) async throws(PersistencyError) -> CommitReceipt

    /// Replaces commits with an update by query.
    private static func applying(_ name: String, in groups: [LawGroup], _ apply: @escaping Apply) -> Mutation {
        Mutation(groups, name) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                changes.bulk == nil ? try await store.commit(changes) : try await apply(changes, store)
            }
        }
    }

    private static func changing(
        _ name: String, in groups: [LawGroup], _ change: @escaping @Sendable (BulkChange) -> BulkChange
    ) -> Mutation {
        applying(name, in: groups) { (changes, store) async throws(PersistencyError) in
            var changes = changes
            changes.bulk = changes.bulk.map(change)
            return try await store.commit(changes)
        }
    }

    /// Commits the roots of an update by query by their names.
    private static func naming(_ name: String, in groups: [LawGroup], _ apply: @escaping Apply) -> Mutation {
        applying(name, in: groups) { (changes, store) async throws(PersistencyError) in
            guard let bulk = changes.bulk else { return try await store.commit(changes) }
            let named = try changes.namingBulk(try await store.read(ReadRequest(bulk.schema)).items)
            let receipt = try await apply(named, store)
            return CommitReceipt(token: receipt.token, bulkCount: named.updates.count)
        }
    }

    /// Commits all roots of the condition, with the changes of others in their place.
    private static func rewriting(
        _ name: String, in groups: [LawGroup], _ read: @escaping @Sendable (StorageObject) -> StorageObject
    ) -> Mutation {
        applying(name, in: groups) { (changes, store) async throws(PersistencyError) in
            guard let bulk = changes.bulk else { return try await store.commit(changes) }
            let roots = try await store.read(ReadRequest(bulk.schema, where: bulk.condition)).items
            let updates = roots.map { RootUpdate($0.key, expected: $0.version, changes: bulk.changes(of: read($0))) }
            let receipt = try await store.commit(ChangeSet(id: changes.id, updates: updates))
            return CommitReceipt(token: receipt.token, bulkCount: updates.count)
        }
    }
}
