internal import LarderData
public import LarderDomain

/// A commit that a follower could not handle, kept until an operator retries or discards it.
public struct SetAsideChanges: Entity {
    /// Derived from the follower and the commit.
    public let id: EntityID<SetAsideChanges>
    /// The state of the follower.
    public let follower: EntityID<FollowerState>
    /// The position of the commit.
    public let token: ChangeToken
    /// The id of the commit.
    public let commit: RawID
    /// The changes that the handler receives, as in a journal.
    let changes: [UInt8]
    /// The error of the last attempt.
    public let failure: String

    init(_ changes: CommittedChanges, of follower: EntityID<FollowerState>, failure: String) {
        let commit = changes.id.rawValue
        id = EntityID(RawID(high: commit.high ^ follower.rawValue.high, low: commit.low ^ follower.rawValue.low))
        (self.follower, self.commit, token, self.failure) = (follower, commit, changes.token, failure)
        self.changes = JournalCodec.bytes(of: changes)
    }

    init(from row: inout ObjectReader) throws(PersistencyError) {
        (id, follower, token) = (row.id(), try row.next(), try row.next())
        (commit, changes, failure) = (try row.next(), try row.next(), try row.next())
    }

    /// The changes that the handler receives.
    ///
    /// - Throws: `invalid` if the stored bytes are not the changes of a commit.
    public func committed() throws(PersistencyError) -> CommittedChanges {
        guard let changes = try? JournalCodec.commit(changes, token: token, id: CommitID(commit)) else {
            throw .invalid(
                InvalidField(
                    entity: Self.entityName, id: id.rawValue, field: "changes", reason: "are not changes of a commit"))
        }
        return changes
    }
}

/// Stores changes that were set aside.
enum SetAsideChangesMapper: EntityMapper {
    static let mapping = Mapping<SetAsideChanges>(
        "set_aside_changes", id: \.id,
        [
            .reference("follower_id", \.follower, onDelete: .cascade).indexed,
            .column("token", \.token),
            .column("commit_id", \.commit),
            .column("changes", \.changes),
            .column("failure", \.failure),
        ])

    static func entity(from row: inout ObjectReader) throws -> SetAsideChanges { try SetAsideChanges(from: &row) }
}
