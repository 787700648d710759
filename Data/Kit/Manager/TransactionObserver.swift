/// A hook of the manager for saves and updates that change nothing, and therefore do not reach the store.
///
/// The manager finds it as a feature of its store; see ``Store/feature(_:)``.
public protocol UnchangedSaveObserver: Sendable {
    /// Receives the number of saves and updates without a difference: 1, or those of a transaction after its commit.
    /// Attempts that are repeated are not counted.
    func noteUnchangedSaves(_ count: Int)
}
