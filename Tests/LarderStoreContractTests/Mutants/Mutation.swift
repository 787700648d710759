import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract

/// One thing that a store does wrong, everything else being right.
struct Mutation: Sendable {
    /// What it does wrong, as a sentence about the store.
    let name: String
    /// The laws that must notice.
    let group: LawGroup

    /// Commits in place of the store.
    var commit: @Sendable (ChangeSet, MemoryStore) async throws(PersistencyError) -> CommitReceipt = {
        (changes, store) async throws(PersistencyError) in try await store.commit(changes)
    }
    /// Changes what is asked.
    var request: @Sendable (ReadRequest) -> ReadRequest = { $0 }
    /// Changes an object that was read.
    var object: @Sendable (StorageObject) -> StorageObject = { $0 }
    /// Changes what was found.
    var result: @Sendable (ReadRequest, ReadResult<StorageObject>) -> ReadResult<StorageObject> = { $1 }
    /// Changes what observers hear.
    var changes: @Sendable (AsyncStream<CommittedChanges>) -> AsyncStream<CommittedChanges> = { $0 }
    /// What the store says that it can do beside what it can.
    var pretends: Set<Capability> = []
    /// Whether closing does anything.
    var closes = true

    init(_ group: LawGroup, _ name: String, _ change: (inout Mutation) -> Void = { _ in }) {
        self.group = group
        self.name = name
        change(&self)
    }
}
