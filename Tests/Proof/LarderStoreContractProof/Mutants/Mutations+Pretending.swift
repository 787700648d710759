import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Operations that report success without effect, or that do more than they report.
    static let pretending: [Mutation] = [
        Mutation(
            [.lifecycle, .conflicts, .deleteRules, .changeTracking, .graph, .transactions],
            "says that it stored an update and did not"
        ) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.updates = changes.updates.map {
                    RootUpdate($0.key, expected: $0.expected, changes: ObjectChanges())
                }
                return try await store.commit(changes)
            }
        },
        Mutation(
            [.lifecycle, .commits, .uniqueness, .deleteRules, .conflicts, .transactions, .concurrency],
            "says that it deleted something and did not"
        ) {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.deletes = []
                return try await store.commit(changes)
            }
        },
        Mutation(
            [.values, .lifecycle, .commits, .transactions, .conflicts, .cancellation],
            "finds a blank root for every unknown id"
        ) {
            $0.found = { ids, schema, objects in
                let strangers = Set(ids).subtracting(objects.map(\.id))
                return objects + strangers.map { .blank(schema, $0) }
            }
        },
        Mutation(.commits, "returns an object as often as its id is requested") {
            $0.found = { ids, _, objects in
                let byID = Dictionary(objects.map { ($0.id, $0) }) { first, _ in first }
                return ids.compactMap { byID[$0] }
            }
        },
        Mutation(.commits, "reads by a thousand ids at most") {
            $0.found = { ids, _, objects in
                let first = Set(ids.prefix(1000))
                return objects.filter { first.contains($0.id) }
            }
        },
        Mutation(.commits, "takes schemas that it was not opened with for empty ones") { $0.takesStrangers = true },
        Mutation([.commits, .values], "reports undeclared schemas as stored") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch .invalid {
                    return .made
                }
            }
        },
        Mutation([.commits, .changes, .concurrency], "gives every commit the same token") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                _ = try await store.commit(changes)
                return .made
            }
        },
        Mutation(.conflicts, "hides the roots that a commit conflicts with") {
            let hides = Kept(false)
            $0.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    return try await store.commit(changes)
                } catch {
                    if case .conflict = error { _ = hides.exchange(true) }
                    throw error
                }
            }
            $0.found = { _, _, objects in hides.exchange(false) ? [] : objects }
        },
        Mutation(.changeTracking, "counts a row and a byte for each measurement") {
            let looks = Kept(0)
            $0.pretends = [.countsBytes]
            $0.measurements = { measured in
                let count = looks.change { $0 + 1 }
                return StoreMeasurements(rowsWritten: (measured.rowsWritten ?? 0) + count, bytesWritten: count)
            }
        },
        Mutation(.graph, "asks its database for each object on its own") {
            let statements = Kept(0)
            $0.pretends = [.countsStatements]
            $0.object = { object in
                _ = statements.change { $0 + 1 }
                return object
            }
            $0.measurements = { measured in
                StoreMeasurements(rowsWritten: measured.rowsWritten, statements: statements.change { $0 })
            }
        },
        Mutation(.storeLife, "knows one schema fewer than it was opened with") {
            $0.schemas = { (try? SchemaSet(Array($0.roots.dropLast()))) ?? $0 }
        },
        Mutation(.deleteRules, "does not know the references to books") {
            $0.schemas = { all in
                (try? SchemaSet(all.roots.filter { $0.name != "shelf" && $0.name != "review" })) ?? all
            }
        },
    ]
}
