import LarderData

@testable import LarderInfrastructure

/// The numbers of commits, which the stores of this target have in their tokens.
extension CommitReceipt {
    var sequence: Int64 { token.position }
}

extension StoreChange {
    /// `nil` for a gap.
    var sequence: Int64? { if case .commit(let changes) = self { changes.token.position } else { nil } }
}

extension LogEngine {
    /// Commits change sets in a lifetime of no interest.
    mutating func commit(_ group: [PendingCommit]) -> Outcome {
        commit(group) { StoreToken(lifetime: 0, position: $0) }
    }
}
