public import LarderDomain
private import Synchronization

extension CommitOutcome {
    /// The outcome of a commit according to the journal of a store that only one process writes.
    ///
    /// A commit that was made before the store was opened cannot be running. It was not stored if the journal does not
    /// have it, and has not dropped any commit since it was made.
    ///
    /// - Parameters:
    ///   - completeSince: The start of the journal, or, if it has dropped commits, ``clockTolerance`` after the last.
    ///   - openedAt: When the store was opened.
    package init(of id: CommitID, isRetained: Bool, completeSince: Timestamp, openedAt: Timestamp) {
        if isRetained {
            self = .stored
        } else if let made = id.rawValue.creationTime, completeSince <= made,
            made.adding(.milliseconds(1)) <= openedAt
        {
            // An id names whole milliseconds.
            self = .absent
        } else {
            self = .unknown
        }
    }

    /// How far the clock may be set back between the creation of a commit's id and the commit.
    package static let clockTolerance: Duration = .seconds(10)
}

/// The outcomes of commits since a store was opened: up to the last 65,536. A journal knows those before.
public final class CommitOutcomes: Sendable {
    private struct State {
        var commits: [(id: CommitID, isStored: Bool)] = []
        /// The index of the oldest commit, if the limit is reached.
        var oldest = 0
    }

    private static let limit = 65_536
    private let state = Mutex(State())

    /// Creates an empty record, for a store that opens.
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
