/// A hook of the manager for transactions, and for saves that do not reach the store.
///
/// The manager finds it as a feature of its store; see ``Store/feature(_:)``.
public protocol TransactionObserver: Sendable {
    /// Receives the number of saves and updates without a difference: 1, or those of a transaction after its commit.
    /// Attempts that are repeated are not counted.
    func noteUnchangedSaves(_ count: Int)

    /// Runs a transaction, from its first attempt to the end of its commit. A single create or save is a commit without one.
    func observing<Result>(_ transaction: () async throws -> Result) async throws -> Result
}

extension TransactionObserver {
    public func observing<Result>(_ transaction: () async throws -> Result) async throws -> Result {
        try await transaction()
    }
}

/// The former name.
@available(*, deprecated, renamed: "TransactionObserver")
public typealias UnchangedSaveObserver = TransactionObserver
