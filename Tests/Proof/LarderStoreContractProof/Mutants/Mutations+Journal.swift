import LarderData
import LarderDomain
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
