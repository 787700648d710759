internal import LarderData
internal import LarderDomain
private import Synchronization

/// The change sets of commits that have started and that a mirror does not have yet.
final class PendingCommits: Sendable {
    private struct State {
        /// A commit without its change set, if there was no space for it.
        var commits: [CommitID: (changes: ChangeSet, bytes: Int)?] = [:]
        var bytes = 0
    }

    /// The limits on the commits that are kept for a mirror. The roots of others are read again.
    private static let (countLimit, byteLimit) = (1024, 64 << 20)
    private let state = Mutex(State())

    /// Whether every commit that has started is in the mirror, or has failed.
    var isEmpty: Bool { state.withLock(\.commits.isEmpty) }

    /// Adds a commit before it starts; false for one with the id of another.
    func insert(_ changes: ChangeSet) -> Bool {
        let bytes = changes.byteCount
        return state.withLock { state in
            guard state.commits[changes.id] == nil else { return false }
            let fits = state.commits.count < Self.countLimit && state.bytes + bytes <= Self.byteLimit
            if fits { state.bytes += bytes }
            state.commits.updateValue(fits ? (changes, bytes) : nil, forKey: changes.id)
            return true
        }
    }

    /// Removes a commit that was not stored, or that the mirror has.
    func remove(_ id: CommitID) {
        state.withLock { state in
            if let removed = state.commits.removeValue(forKey: id), let kept = removed { state.bytes -= kept.bytes }
        }
    }

    /// The change set of a commit in the journal; `nil` if it was not kept.
    func changes(of commit: CommittedChanges) -> ChangeSet? {
        guard let kept = state.withLock({ $0.commits[commit.id] }), let changes = kept?.changes else { return nil }
        // Another commit may have used the id again. The primary has counted what an update by query changed.
        let bulkCount = commit.bulk?.count ?? 0
        return CommittedChanges(token: commit.token, of: changes, bulkCount: bulkCount) == commit ? changes : nil
    }
}
