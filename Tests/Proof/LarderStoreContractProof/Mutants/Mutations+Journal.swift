import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects of journals, in memory and after an opening.
    static let journal: [Mutation] = [
        Mutation(.changes, "repeats the last commit when a reader reconnects") { $0.token = { $0?.moved(by: -1) } },
        Mutation(.changes, "skips a commit when a reader reconnects") { $0.token = { $0?.moved(by: 1) } },
        disk("forgets its journal when it is opened") { $0.journal = { _ in nil } },
        disk("forgets the deletions in its journal when it is opened") {
            $0.journal = { $0.entries.contains { $0.kind == .deleted } ? nil : $0 }
        },
        disk("forgets the removed references in its journal when it is opened") {
            $0.journal = { CommittedChanges(token: $0.token, id: $0.id, entries: $0.entries) }
        },
        disk("forgets the ids of the commits in its journal when it is opened") {
            $0.journal = {
                CommittedChanges(token: $0.token, id: CommitID(), entries: $0.entries, removals: $0.removals)
            }
        },
        disk("forgets the owners in its journal when it is opened") {
            $0.journal = { $0.mapEntries { CommittedChange($0.reference, kind: $0.kind, version: $0.version) } }
        },
        disk("skips a position when it is opened") { $0.position = { $0 + 1 } },
        disk("takes the commits in its journal for absent") { $0.outcome = { $0 == .stored ? .absent : $0 } },
        disk("does not know the outcomes of the commits in its journal") {
            $0.outcome = { $0 == .stored ? .unknown : $0 }
        },
        disk("does not know that a commit is not in its journal") { $0.outcome = { $0 == .absent ? .unknown : $0 } },
        disk("takes every commit that is not in its journal for absent") {
            $0.outcome = { $0 == .unknown ? .absent : $0 }
        },
        disk("puts the parts of the commits in its journal in the order of ids when it is opened") {
            $0.journal = { $0.withPartsByID }
        },
        replaying("exchanges two of more than 300 commits that it retains") { events in
            var events = events
            if events.count > 300 { events.swapAt(256, 257) }
            return events
        },
        replaying("delivers the last of 300 commits that it retains after the next one", holdsFrom: 300) { $0 },
        replaying("puts the parts of the commits that it retains in the order of ids") { events in
            events.map { $0.mapCommit(\.withPartsByID) }
        },
        replaying("retains commits without owners") { events in
            events.map { $0.mapCommit { $0.mapEntries { $0.without(owner: true) } } }
        },
        replaying("retains updates without owners") { events in
            events.map { $0.mapCommit { $0.mapEntries { $0.without(owner: $0.kind == .updated) } } }
        },
        Mutation(.changes, "waits for the commit of a later token") { mutation in
            mutation.changes = { stream in
                let (told, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
                Task {
                    for await change in stream {
                        if case .commit = change { continuation.yield(change) } else { break }
                    }
                    continuation.finish()
                }
                return told
            }
        },
    ]

    /// Changes the commits that were made before a stream begins after an earlier one.
    ///
    /// - Parameter holdsFrom: From this number on, the last of them follows the next commit.
    private static func replaying(
        _ name: String, holdsFrom: Int = .max, _ change: @escaping @Sendable ([ChangeEvent]) -> [ChangeEvent]
    ) -> Mutation {
        Mutation(.changes, name) { mutation in
            let (last, start) = (Kept(Int64(0)), Kept<ChangeToken?>(nil))
            mutation.commit = { (changes, store) async throws(PersistencyError) in
                let receipt = try await store.commit(changes)
                _ = last.change { max($0, receipt.token.position) }
                return receipt
            }
            mutation.token = { token in
                _ = start.exchange(token)
                return token
            }
            mutation.changes = { stream in
                let last = last.change { $0 }
                let count = Int(last - (start.exchange(nil)?.position ?? last))
                guard count > 0 else { return stream }
                return forwarding(stream) { events, continuation in
                    var (replayed, held): ([ChangeEvent]?, ChangeEvent?) = ([], nil)
                    for await event in events {
                        guard var all = replayed else {
                            continuation.yield(event)
                            if let event = held { continuation.yield(event) }
                            held = nil
                            continue
                        }
                        all.append(event)
                        replayed = all
                        guard all.count == count || event.isGap else { continue }
                        if count >= holdsFrom { held = all.popLast() }
                        for event in change(all) { continuation.yield(event) }
                        replayed = nil
                    }
                    for event in (replayed ?? []) + (held.map { [$0] } ?? []) { continuation.yield(event) }
                }
            }
        }
    }

    private static func disk(_ name: String, _ change: @escaping @Sendable (inout DiskMutation) -> Void) -> Mutation {
        Mutation(.changes, name) { mutation in
            var disk = DiskMutation()
            disk.hasJournal = true
            change(&disk)
            mutation.disk = disk
        }
    }
}

extension ChangeToken {
    fileprivate func moved(by count: Int64) -> ChangeToken {
        ChangeToken(lifetime: lifetime, position: max(0, position + count))
    }
}

extension ChangeEvent {
    fileprivate var isGap: Bool { if case .gap = self { true } else { false } }

    fileprivate func mapCommit(_ transform: (CommittedChanges) -> CommittedChanges) -> ChangeEvent {
        if case .commit(let commit) = self { .commit(transform(commit)) } else { self }
    }
}

extension CommittedChanges {
    /// The commit with the changes of each kind, and the removals, in the order of ids.
    fileprivate var withPartsByID: CommittedChanges {
        let sorted = entries.sorted { $0.reference.id < $1.reference.id }
        let parts = CommittedChange.Kind.allCases.flatMap { kind in sorted.filter { $0.kind == kind } }
        return CommittedChanges(token: token, id: id, entries: parts, removals: removals)
    }
}
