internal import LarderData
public import LarderDomain

/// The stored state of recurring work.
public struct RecurringState: Entity, LeasedState {
    /// Derived from the name.
    public let id: EntityID<RecurringState>
    /// The name of the work.
    public let name: String
    /// The last tick whose work was done or passed over.
    public internal(set) var tick: Timestamp
    /// The run that does the work; `nil` if none does.
    public internal(set) var holder: RawID?
    /// The number of failed attempts at the next tick.
    public internal(set) var attempts = 0
    /// The error of the last failed attempt.
    public internal(set) var failure: String?

    init(name: String, tick: Timestamp) {
        (id, self.name, self.tick) = (Self.id(of: name), name, tick)
    }

    init(from row: inout ObjectReader) throws(PersistencyError) {
        (id, name, tick) = (row.id(), try row.next(), try row.next())
        (holder, attempts, failure) = (try row.next(), try row.next(), try row.next())
    }

    static func id(of name: String) -> EntityID<RecurringState> {
        EntityID(RawID(high: name.utf8.fingerprint, low: "\(name) recurring".utf8.fingerprint))
    }
}

/// Stores the states of recurring work.
enum RecurringStateMapper: EntityMapper {
    static let mapping = Mapping<RecurringState>(
        "recurring_state", id: \.id,
        [
            .column("name", \.name).unique,
            .column("tick", \.tick),
            .column("holder", \.holder),
            .column("attempts", \.attempts),
            .column("failure", \.failure),
        ])

    static func entity(from row: inout ObjectReader) throws -> RecurringState { try RecurringState(from: &row) }
}
