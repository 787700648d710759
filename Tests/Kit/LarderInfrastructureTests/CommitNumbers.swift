import LarderData
import LarderDomain

@testable import LarderInfrastructure

/// The commit numbers in the tokens of this target's stores.
extension CommitReceipt {
    var sequence: Int64 { token.position }
}

extension ChangeEvent {
    /// `nil` for a gap.
    var sequence: Int64? { if case .commit(let changes) = self { changes.token.position } else { nil } }
}

extension LogEngine {
    /// Commits change sets in an arbitrary store lifetime.
    mutating func commit(_ group: [PendingCommit]) -> Outcome {
        commit(group) { ChangeToken(lifetime: 0, position: $0) }
    }
}
