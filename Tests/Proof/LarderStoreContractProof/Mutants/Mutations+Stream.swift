import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in notifications and in the order of faults.
    static let stream: [Mutation] = [
        telling("publishes no commits that only delete") { commit in
            commit.entries.allSatisfy { $0.kind == .deleted } ? nil : commit
        },
        telling("publishes deletions without owners") { $0.mapEntries { $0.without(owner: $0.kind == .deleted) } },
        telling("publishes updates without owners") { $0.mapEntries { $0.without(owner: $0.kind == .updated) } },
        telling("publishes inserts without owners") { $0.mapEntries { $0.without(owner: $0.kind == .inserted) } },
        telling("tells of the last change of each commit first") {
            CommittedChanges(token: $0.token, id: $0.id, entries: $0.entries.reversed())
        },
        telling("publishes deletions with version 0") { commit in
            commit.mapEntries { entry in
                guard entry.kind == .deleted else { return entry }
                return CommittedChange(entry.reference, kind: .deleted, version: 0, owner: entry.owner)
            }
        },
        Mutation([.changes, .commits], "tells its first observer alone") { mutation in
            let isFirst = Kept(true)
            mutation.changes = { stream in
                if isFirst.exchange(false) { return stream }
                let (silent, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
                Task {
                    for await _ in stream {}
                    continuation.finish()
                }
                return silent
            }
        },
        Mutation(.changes, "knows its observers by how many there are") { mutation in
            let observers = Kept<[Int: AsyncStream<ChangeEvent>.Continuation]>([:])
            mutation.changes = { stream in
                let (told, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
                let before = observers.change { $0 }
                let number = before.count
                _ = observers.change { $0.merging([number: continuation]) { $1 } }
                if let replaced = before[number] {
                    replaced.onTermination = nil
                    replaced.finish()
                }
                let forwarding = Task {
                    for await commit in stream { continuation.yield(commit) }
                    continuation.finish()
                }
                continuation.onTermination = { _ in
                    forwarding.cancel()
                    _ = observers.change { $0.filter { $0.key != number } }
                }
                return told
            }
        },
        Mutation(.changes, "continues only the last of the readers of a stream") { $0.changes = LastReader.stream },
        Mutation([.changes, .commits], "takes a token for each change set that it refuses") { mutation in
            let refused = Kept(Int64(0))
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                do throws(PersistencyError) {
                    let token = try await store.commit(changes).token
                    let position = token.position + refused.change { $0 }
                    return CommitReceipt(token: ChangeToken(lifetime: token.lifetime, position: position))
                } catch {
                    _ = refused.change { $0 + 1 }
                    throw error
                }
            }
        },
        Mutation(.changes, "drops commits without a gap") { mutation in
            mutation.changes = { stream in
                let (told, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
                Task {
                    for await change in stream {
                        if case .commit = change { continuation.yield(change) }
                    }
                    continuation.finish()
                }
                return told
            }
        },
        Mutation(.changes, "begins each stream with a gap") { mutation in
            mutation.changes = { stream in
                let (told, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
                continuation.yield(.gap(ChangeToken(lifetime: 0, position: 0)))
                Task {
                    for await change in stream { continuation.yield(change) }
                    continuation.finish()
                }
                return told
            }
        },
        Mutation(.changes, "continues after earlier commits as if none were missing") { $0.token = { _ in nil } },
        Mutation(.changes, "answers without the last root where a replica may answer") {
            $0.result = { request, result in
                guard request.consistency.preference == .replica else { return result }
                return ReadResult(items: result.items.dropLast(), next: result.next, total: result.total)
            }
        },
        Mutation(.changes, "ignores the tokens of reads") { mutation in
            mutation.request = { request in
                var request = request
                request.consistency.token = nil
                return request
            }
        },
        Mutation(.commits, "takes every commit for stored") { $0.outcome = { _ in .stored } },
        Mutation(.commits, "takes every commit for absent") { $0.outcome = { _ in .absent } },
        Mutation(.commits, "knows no outcome") { $0.outcome = { _ in .unknown } },
        Mutation(.commits, "restores at version 1") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try changes.check(against: store.schemas)
                var changes = changes
                changes.keepsVersions = false
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "replaces a root at the next version") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                for index in changes.inserts.indices where changes.replacedRoots.contains(changes.inserts[index].key) {
                    let old = changes.deletes.first { $0.key == changes.inserts[index].key }
                    changes.inserts[index].version = (old?.version ?? 0) + 1
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "inserts at the version of the object") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.keepsVersions = changes.keepsVersions || changes.inserts.allSatisfy { $0.version > 0 }
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "judges references before everything else") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                for object in changes.inserts { try await store.expectTargets(of: object, changes) }
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "judges inserted ids before versions") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                if Task.isCancelled { throw .cancelled }
                for object in changes.inserts where store.schemas[object.schema.name] != nil {
                    guard try await store.read([object.id], of: object.schema).isEmpty else {
                        throw .duplicate(Duplicate(entity: object.schema.name, columns: ["id"], existing: object.id))
                    }
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "deletes whatever version there is where none is expected") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                for (index, delete) in changes.deletes.enumerated() where delete.version == nil {
                    let found = try await store.read([delete.key.id], of: delete.key.schema).first
                    changes.deletes[index] = RootExpectation(delete.key, version: found?.version, owner: delete.owner)
                }
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "deletes nothing where no version is expected") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.deletes.removeAll { $0.version == nil }
                return try await store.commit(changes)
            }
        },
        Mutation(.commits, "ignores changes of unknown schemas") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                var changes = changes
                changes.deletes.removeAll { store.schemas[$0.key.schema.name] == nil }
                changes.reads.removeAll { store.schemas[$0.key.schema.name] == nil }
                return try await store.commit(changes)
            }
        },
        Mutation([.cancellation, .commits], "judges before it looks whether it was cancelled or closed") {
            $0.commit = { (changes, store) async throws(PersistencyError) in
                try changes.check(against: store.schemas)
                return try await store.commit(changes)
            }
        },
    ]
}

extension MemoryStore {
    fileprivate nonisolated func expectTargets(
        of object: StorageObject, _ changes: ChangeSet
    ) async throws(PersistencyError) {
        for (link, ids) in zip(object.schema.links, object.links) {
            guard let schema = schemas[link.target] else { continue }
            for id in ids where !changes.inserts.contains(where: { $0.id == id }) {
                guard try await read([id], of: schema).isEmpty else { continue }
                throw .dangling(Dangling(entity: object.schema.name, column: link.name, id: id))
            }
        }
        for child in object.children.joined() { try await expectTargets(of: child, changes) }
    }
}
