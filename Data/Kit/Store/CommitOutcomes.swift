public import LarderDomain
private import Synchronization

/// Whether a store has stored a change set.
public enum CommitOutcome: Sendable, Equatable {
    /// It is stored.
    case stored
    /// It is not stored, and will not be.
    case absent
    /// The store cannot know: the commit is running, in doubt, or older than the recorded commits.
    case unknown
}

/// The outcomes of commits since a store was opened, for stores without a journal: up to the last 65,536.
public final class CommitOutcomes: Sendable {
    private struct State {
        var commits: [(id: CommitID, isStored: Bool)] = []
        /// The index of the oldest commit, if the limit is reached.
        var oldest = 0
    }

    private static let limit = 65_536
    private let state = Mutex(State())

    public init() {}

    /// Records the outcome of a commit. A commit in doubt is not recorded.
    ///
    /// - Complexity: O(1)
    public func record(_ id: CommitID, isStored: Bool) {
        state.withLock { state in
            if state.commits.count < Self.limit {
                state.commits.append((id, isStored))
            } else {
                state.commits[state.oldest] = (id, isStored)
                state.oldest = (state.oldest + 1) % Self.limit
            }
        }
    }

    /// Runs a commit and records its outcome.
    @inlinable @inline(__always) public func recording(
        _ changes: ChangeSet, _ commit: () async throws(PersistencyError) -> CommitReceipt
    ) async throws(PersistencyError) -> CommitReceipt {
        do {
            let receipt = try await commit()
            record(changes.id, isStored: true)
            return receipt
        } catch {
            if case .inDoubt = error {} else { record(changes.id, isStored: false) }
            throw error
        }
    }

    /// The outcome of a commit: `stored` if any attempt was stored.
    ///
    /// - Complexity: O(*n*) for *n* recorded commits.
    public func outcome(of id: CommitID) -> CommitOutcome {
        state.withLock { state in
            let attempts = state.commits.filter { $0.id == id }
            if attempts.isEmpty { return .unknown }
            return attempts.contains(where: \.isStored) ? .stored : .absent
        }
    }
}
