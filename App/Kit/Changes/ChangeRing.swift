internal import LarderData

/// The last commits, bounded in number and in changes. They follow each other without a gap.
struct ChangeRing {
    private var slots: [CommittedChanges?]
    /// The slot of the oldest commit.
    private var head = 0
    private(set) var count = 0
    private let changesBound: Int
    /// The number of the last commit, kept or not; 0 before the first.
    private(set) var newest: Int64 = 0
    /// Every commit after this one is here.
    private(set) var floor: Int64 = 0
    /// Commits up to this one include some that nobody could be told.
    private(set) var lost: Int64 = 0
    /// How many changes the commits hold.
    private(set) var changes = 0
    private var hasBegun = false

    init(_ bounds: FeedBounds) {
        slots = Array(repeating: nil, count: max(1, bounds.commits))
        changesBound = bounds.changes
    }

    /// Takes the next commit; a gap before it empties the ring.
    ///
    /// - Complexity: O(1), amortised.
    mutating func append(_ commit: CommittedChanges) {
        guard commit.sequence > newest else { return }
        // What came before the first that is seen was committed before anybody could subscribe.
        if hasBegun, commit.sequence != newest + 1 { lose(upTo: commit.sequence - 1) }
        hasBegun = true
        newest = commit.sequence
        guard commit.entries.count <= changesBound else { return lose(upTo: newest) }
        while count == slots.count || changes + commit.entries.count > changesBound { dropOldest() }
        slots[(head + count) % slots.count] = commit
        count += 1
        changes += commit.entries.count
    }

    /// The first commit after a place, which must not be below the floor; `nil` if there is none yet.
    ///
    /// - Complexity: O(1).
    func commit(after sequence: Int64) -> CommittedChanges? {
        guard sequence < newest, let oldest = slots[head] else { return nil }
        let offset = Int(max(0, sequence + 1 - oldest.sequence))
        return offset < count ? slots[(head + offset) % slots.count] : nil
    }

    private mutating func dropOldest() {
        guard let oldest = slots[head] else { return }
        floor = oldest.sequence
        changes -= oldest.entries.count
        slots[head] = nil
        head = (head + 1) % slots.count
        count -= 1
    }

    private mutating func lose(upTo sequence: Int64) {
        while count > 0 { dropOldest() }
        floor = sequence
        lost = sequence
    }
}
