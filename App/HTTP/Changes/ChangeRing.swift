internal import LarderDomain

/// A ring buffer of the last commits, with a maximum number of commits and of changes.
struct ChangeRing {
    private var slots: [CommittedChanges?]
    /// The slot of the oldest commit.
    private var head = 0
    private(set) var count = 0
    private let changesBound: Int
    /// The position of the last commit or gap.
    private(set) var newest: Int64
    /// The ring has every commit with a higher position.
    private(set) var floor: Int64
    /// The number of changes in all commits of the ring.
    private(set) var changes = 0

    /// - Parameter position: The position of the last commit before the first of the ring.
    init(_ bounds: FeedBounds, after position: Int64) {
        (newest, floor) = (position, position)
        slots = Array(repeating: nil, count: max(1, bounds.commits))
        changesBound = bounds.changes
    }

    /// Appends a commit, whose position is higher than all before. Positions need not be consecutive.
    ///
    /// - Complexity: O(1), amortised.
    mutating func append(_ commit: CommittedChanges) {
        newest = commit.token.position
        while count == slots.count || count > 0 && changes + commit.size > changesBound { dropOldest() }
        slots[(head + count) % slots.count] = commit
        count += 1
        changes += commit.size
    }

    /// Appends a gap, and empties the ring.
    mutating func appendGap(upTo position: Int64) {
        while count > 0 { dropOldest() }
        newest = max(newest, position)
        floor = newest
    }

    /// The first commit after a position; `nil` if there is none yet, or if the ring no longer has it.
    ///
    /// - Complexity: O(log *n*) for *n* commits.
    func commit(after position: Int64) -> CommittedChanges? { index(after: position).flatMap { self[$0] } }

    /// The next commits after a position, with a maximum number of changes unless one commit has more; empty if there
    /// is none yet, or if the ring no longer has the first.
    func commits(after position: Int64, changes limit: Int) -> [CommittedChanges] {
        var commits: [CommittedChanges] = []
        var changes = 0
        for index in (index(after: position) ?? count)..<count {
            guard let commit = self[index] else { break }
            changes += commit.size
            if changes > limit, !commits.isEmpty { break }
            commits.append(commit)
        }
        return commits
    }

    private func index(after position: Int64) -> Int? {
        if position < floor || position >= newest { return nil }
        var range = 0..<count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let isLater = self[middle].map { $0.token.position > position } ?? false
            range = isLater ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }

    /// A commit by its age: 0 is the oldest.
    private subscript(index: Int) -> CommittedChanges? { slots[(head + index) % slots.count] }

    private mutating func dropOldest() {
        guard let oldest = slots[head] else { return }
        floor = oldest.token.position
        changes -= oldest.size
        slots[head] = nil
        head = (head + 1) % slots.count
        count -= 1
    }
}
