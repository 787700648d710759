import LarderData

@testable import LarderInfrastructure

/// The commit numbers in the tokens of this target's stores.
extension CommitReceipt {
    var sequence: Int64 { token.position }
}

extension StoreChange {
    /// `nil` for a gap.
    var sequence: Int64? { if case .commit(let changes) = self { changes.token.position } else { nil } }
}

extension LogEngine {
    /// Commits change sets in an arbitrary store lifetime.
    mutating func commit(_ group: [PendingCommit]) -> Outcome {
        commit(group) { StoreToken(lifetime: 0, position: $0) }
    }
}
