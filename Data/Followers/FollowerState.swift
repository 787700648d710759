public import LarderData
public import LarderDomain

/// The stored state of a follower. The holder of its lease changes it with each batch: a process that has lost the lease
/// cannot, because the state has another version.
public struct FollowerState: Entity, LeasedState {
    /// Derived from the name.
    public let id: EntityID<FollowerState>
    /// The follower's name.
    public let name: String
    /// The names of the entities that it follows, sorted.
    public let entities: [String]
    /// The last handled commit; `nil` before the follower has read all entities.
    public internal(set) var position: ChangeToken?
    /// The run that handles the commits; `nil` if none does.
    public internal(set) var holder: RawID?
    /// The number of failed attempts at the next commit.
    public internal(set) var attempts = 0
    /// The error of the last failed attempt.
    public internal(set) var failure: String?
    /// Whether the follower waits for an operator.
    public internal(set) var isStopped = false

    init(_ follower: Follower) {
        (id, name, entities) = (Self.id(of: follower.name), follower.name, follower.entities)
    }

    init(from row: inout ObjectReader) throws(PersistencyError) {
        (id, name) = (row.id(), try row.next())
        entities = try row.next(String.self).split(separator: " ").map(String.init)
        (position, holder) = (try row.next(), try row.next())
        (attempts, failure, isStopped) = (try row.next(), try row.next(), try row.next())
    }

    static func id(of name: String) -> EntityID<FollowerState> {
        EntityID(RawID(high: name.utf8.fingerprint, low: "\(name) follower".utf8.fingerprint))
    }

    /// The names of the entities, separated by spaces.
    var entityList: String { entities.joined(separator: " ") }

    /// The part of a commit that the handler receives; `nil` if there is none, or if the follower made the commit.
    func part(of commit: CommittedChanges) -> CommittedChanges? {
        guard !commit.entries.contains(where: { $0.reference.id == id.rawValue }) else { return nil }
        return commit.filtered({ entities.contains($0.reference.entity) }, stale: { entities.contains($0) })
    }

    mutating func clearFailure() { (attempts, failure, isStopped) = (0, nil, false) }
}

/// Stores the states of followers.
enum FollowerStateMapper: EntityMapper {
    static let mapping = Mapping<FollowerState>(
        "follower_state", id: \.id,
        [
            .column("name", \.name).unique,
            .column("entities", \.entityList),
            .column("position", \.position).keepsJournal,
            .column("holder", \.holder),
            .column("attempts", \.attempts),
            .column("failure", \.failure),
            .column("is_stopped", \.isStopped),
        ])

    static func entity(from row: inout ObjectReader) throws -> FollowerState { try FollowerState(from: &row) }
}

extension ChangeToken: ColumnValue {
    /// `text`.
    public static var columnType: ColumnType { .text }
    /// The text of ``description``.
    public func columnValue() -> Value { .text(description) }
    /// Parses the text.
    public init?(columnValue: Value) {
        guard case .text(let text) = columnValue else { return nil }
        self.init(text)
    }
}
