public import LarderDomain
private import Synchronization

/// A journal in memory: the last commits of a store, within bounds.
public final class RetainedCommits: Sendable {
    package typealias Entry = (commit: CommittedChanges, time: Timestamp)

    private struct State {
        /// In the order of positions, which may have gaps.
        var entries: ArraySlice<Entry> = []
        var changes = 0
        /// Every stored commit that was made since is retained.
        var completeSince: Timestamp
    }

    private let bounds: JournalBounds
    private let state: Mutex<State>

    /// - Parameters:
    ///   - bounds: The number and age of retained changes.
    ///   - start: The time since which commits are appended.
    public init(_ bounds: JournalBounds, since start: Timestamp = .now()) {
        self.bounds = bounds
        state = Mutex(State(completeSince: start))
    }

    /// Appends the next commit, and drops the commits that exceed the bounds.
    ///
    /// - Parameter read: The last commit that all readers with a stored position have read; called while there are more
    ///   changes than the bound.
    /// - Complexity: O(1), amortized.
    public func append(
        _ commit: CommittedChanges, at time: Timestamp, read: () -> Int64 = { .max }
    ) {
        let oldest = time.adding(.zero - bounds.age)
        let unread = max(bounds.changes, bounds.unread)
        state.withLock { state in
            state.entries.append((commit, time))
            state.changes += commit.size
            // Once for all that are dropped.
            let lastRead = state.changes > bounds.changes ? read() : .max
            while let first = state.entries.first, state.entries.count > 1,
                first.time < oldest
                    || state.changes > (first.commit.token.position > lastRead ? unread : bounds.changes)
            {
                state.entries.removeFirst()
                state.changes -= first.commit.size
                state.completeSince = max(state.completeSince, first.time.adding(CommitOutcome.clockTolerance))
            }
        }
    }

    /// The retained commits after a position, in order. If the first one does not follow the position, others are lost.
    ///
    /// - Complexity: O(*m* + log *n*) for *m* commits.
    public func commits(after position: Int64, limit: Int) -> [CommittedChanges] {
        state.withLock { state in
            var (low, high) = (state.entries.startIndex, state.entries.endIndex)
            while low < high {
                let middle = low + (high - low) / 2
                if state.entries[middle].commit.token.position > position { high = middle } else { low = middle + 1 }
            }
            return state.entries[low...].prefix(limit).map(\.commit)
        }
    }

    /// Reads the commits, for an observer.
    public var reader: ChangeHub.JournalReader { { self.commits(after: $0, limit: $1) } }

    /// The outcome of a commit before the store was opened: stored if it is retained, absent if it is younger than the
    /// oldest retained one, otherwise unknown.
    ///
    /// - Complexity: O(*n*) for *n* retained commits.
    public func outcome(of id: CommitID, before opening: Timestamp) -> CommitOutcome {
        let (isStored, completeSince) = state.withLock { state in
            (state.entries.contains { $0.commit.id == id }, state.completeSince)
        }
        return CommitOutcome(of: id, isRetained: isStored, completeSince: completeSince, openedAt: opening)
    }

    /// All retained commits, and the time since which every commit is retained; for a log.
    package var content: (entries: [Entry], completeSince: Timestamp) {
        state.withLock { (Array($0.entries), $0.completeSince) }
    }

    /// The approximate encoded size in bytes.
    package var byteCount: Int { state.withLock { $0.changes * 40 } }
}
