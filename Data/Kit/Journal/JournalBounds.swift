internal import LarderDomain

/// The number and age of the changes that a journal retains.
///
/// A journal retains the names, versions and owners of changed roots, not their content: some 40 bytes for each. Older
/// commits are dropped in batches, so a journal may retain a little more. The last commit is always retained.
public struct JournalBounds: Sendable, Equatable {
    /// The maximum number of changes: for each commit, that of its roots and removed references, and at least one.
    public var changes: Int
    /// The maximum age.
    public var age: Duration
    /// The maximum number of changes, if it is more, while a reader whose position is stored has not read all of them.
    public var unread: Int

    /// Creates bounds; by default, 100,000 changes of the last 7 days, and 1,000,000 if they are unread.
    public init(changes: Int = 100_000, age: Duration = .seconds(7 * 86_400), unread: Int = 1_000_000) {
        (self.changes, self.age, self.unread) = (changes, age, unread)
    }

    /// The last commit that all readers have read, by their stored positions; positions of other lifetimes are ignored.
    package static func read(_ positions: some Sequence<String>, lifetime: UInt64) -> Int64 {
        positions.compactMap { ChangeToken($0) }.filter { $0.lifetime == lifetime }.map(\.position).min() ?? .max
    }
}
