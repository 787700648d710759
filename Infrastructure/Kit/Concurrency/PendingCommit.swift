internal import LarderData
internal import LarderDomain
internal import Synchronization

typealias CommitResult = Result<CommitReceipt, PersistencyError>

/// What a group has committed.
typealias CommittedMember = (changes: ChangeSet, token: StoreToken)

final class PendingCommit: Sendable {
    let changes: ChangeSet
    private let cancelled = Atomic(false)

    init(_ changes: ChangeSet) {
        self.changes = changes
    }

    /// Whether its task was cancelled; once its turn has come that has no effect.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() {
        cancelled.store(true, ordering: .relaxed)
    }
}

extension [CommitResult] {
    /// The results of a group whose end failed: members that were applied are in doubt, and nothing happened of the others.
    func inDoubt(_ group: ArraySlice<PendingCommit>, _ error: PersistencyError) -> [CommitResult] {
        zip(group, self).map { member, result in
            guard case .success = result, case .unavailable(let trouble) = error else { return .failure(error) }
            return .failure(.inDoubt(member.changes.id, trouble))
        }
    }
}
