internal import LarderData
internal import LarderDomain
internal import Synchronization

typealias CommitResult = Result<CommitReceipt, PersistencyError>

final class PendingCommit: Sendable {
    let changes: ChangeSet
    private let cancelled = Atomic(false)

    init(_ changes: ChangeSet) {
        self.changes = changes
    }

    /// Whether the task was cancelled, which has no effect once the commit has started.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() {
        cancelled.store(true, ordering: .relaxed)
    }
}

extension [CommitResult] {
    /// The results of a group whose last step failed: applied members are in doubt, the others had no effect.
    func inDoubt(_ group: ArraySlice<PendingCommit>, _ error: PersistencyError) -> [CommitResult] {
        zip(group, self).map { member, result in
            guard case .success = result, case .unavailable(let trouble) = error else { return .failure(error) }
            return .failure(.inDoubt(member.changes.id, trouble))
        }
    }
}
