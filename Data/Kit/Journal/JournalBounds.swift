/// The number and age of the changes that a journal retains.
///
/// A journal retains the names, versions and owners of changed roots, not their content: some 40 bytes for each. Older
/// commits are dropped in batches, so a journal may retain a little more. The last commit is always retained.
public struct JournalBounds: Sendable, Equatable {
    /// The maximum number of changes: for each commit, that of its roots and removed references, and at least one.
    public var changes: Int
    /// The maximum age.
    public var age: Duration

    /// Creates bounds; by default, 100,000 changes of the last 7 days.
    public init(changes: Int = 100_000, age: Duration = .seconds(7 * 86_400)) {
        (self.changes, self.age) = (changes, age)
    }
}
