/// A permission of an operator. Each is separate: none includes another.
public enum OperatorPermission: String, CaseIterable, Sendable {
    /// To read the metrics, at `/metrics`.
    case readMetrics = "metrics"
    /// To read everything in the store, at `/v1/backup`: all users, and the digests of all tokens.
    case backUp = "backup"
    /// To issue access tokens, each of which has the permissions of its owner.
    case issueTokens = "tokens"
}

extension Set<OperatorPermission> {
    /// All permissions.
    public static var all: Set<OperatorPermission> { Set(OperatorPermission.allCases) }
}
