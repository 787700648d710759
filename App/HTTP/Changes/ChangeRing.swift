internal import LarderDomain

/// A ring buffer of the last commits, with a maximum number of commits and of changes. Numbers are positions in the store.
struct ChangeRing {
    private var slots: [CommittedChanges?]
    /// The slot of the oldest commit.
    private var head = 0
    private(set) var count = 0
    private let changesBound: Int
    /// The number of the last commit or gap, whether or not the ring still has it.
    private(set) var newest: Int64
    /// The ring has every commit with a higher number.
    private(set) var floor: Int64
    /// The number of the last gap, or of the last commit that was too large for the ring.
    private(set) var lost: Int64 = 0
    /// The number of changes in all commits of the ring.
    private(set) var changes = 0

    /// - Parameter position: The number of the last commit before the first of the ring.
    init(_ bounds: FeedBounds, after position: Int64) {
        (newest, floor) = (position, position)
        slots = Array(repeating: nil, count: max(1, bounds.commits))
        changesBound = bounds.changes
    }

    /// Appends a commit.
    ///
    /// - Complexity: O(1), amortised.
    mutating func append(_ commit: CommittedChanges) {
        let number = commit.token.position
        if number > newest + 1 { appendGap(upTo: number - 1) }
        newest = number
        guard commit.size <= changesBound else { return lose() }
        while count == slots.count || changes + commit.size > changesBound { dropOldest() }
        slots[(head + count) % slots.count] = commit
        count += 1
        changes += commit.size
    }

    /// Appends a gap, and empties the ring.
    mutating func appendGap(upTo number: Int64) {
        newest = max(newest, number)
        lose()
    }

    /// The first commit after a position, which is at least the floor, and its number; `nil` if there is none yet.
    ///
    /// - Complexity: O(1).
    func commit(after number: Int64) -> (number: Int64, commit: CommittedChanges)? {
        let offset = Int(max(0, number - floor))
        guard offset < count, let commit = slots[(head + offset) % slots.count] else { return nil }
        return (floor + Int64(offset) + 1, commit)
    }

    private mutating func dropOldest() {
        guard let oldest = slots[head] else { return }
        floor += 1
        changes -= oldest.size
        slots[head] = nil
        head = (head + 1) % slots.count
        count -= 1
    }

    private mutating func lose() {
        while count > 0 { dropOldest() }
        floor = newest
        lost = newest
    }
}
