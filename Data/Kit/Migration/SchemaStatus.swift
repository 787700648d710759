public import LarderDomain

/// The recorded version of a store's schema, its history, and the changes that the declared schemas require.
public struct SchemaStatus: Sendable {
    /// The recorded version.
    public let version: Int
    /// The recorded changes, the oldest first.
    public let history: [SchemaHistoryEntry]
    /// The pending changes, one description for each, in order; empty if the store is up to date.
    public let changes: [String]
    /// The members that the store has and the program does not declare; they stay as they are.
    public let kept: [String]
    /// The SQL statements of the pending changes, for a SQL store.
    public let statements: [String]
    /// The locks of the pending changes, one description for each table, for a store that several processes write.
    public let locks: [String]
    /// Whether the pending changes are additive, so that programs of the recorded version can still use the store.
    public let isAdditive: Bool

    package init(
        version: Int, history: [SchemaHistoryEntry], changes: [String], kept: [String], statements: [String] = [],
        locks: [String] = [], isAdditive: Bool
    ) {
        (self.version, self.history, self.changes, self.kept) = (version, history, changes, kept)
        (self.statements, self.locks, self.isAdditive) = (statements, locks, isAdditive)
    }
}

/// One recorded change of a store's schema.
public struct SchemaHistoryEntry: Sendable, Hashable {
    /// The version after the change.
    public let version: Int
    /// The name of the step; empty for other changes.
    public let step: String
    /// The checksum of the step's declaration, or of the declared schemas.
    public let checksum: String
    /// Programs of a lower version are refused since the change.
    public let refusesBefore: Int
    /// The time of the change.
    public let time: Timestamp
    /// The changes, for users.
    public let summary: String

    package init(
        version: Int, step: String, checksum: String, refusesBefore: Int, time: Timestamp, summary: String
    ) {
        (self.version, self.step, self.checksum) = (version, step, checksum)
        (self.refusesBefore, self.time, self.summary) = (refusesBefore, time, summary)
    }
}
