internal import LarderData
internal import LarderDomain

/// The role of a store among its mirrors, stored with its data. A change of a mirror and its new position are one commit.
struct MirrorRecord: Sendable {
    enum Role: String, Sendable {
        /// An exact copy of the source at a position.
        case mirror
        /// A mirror between two positions: it applies a commit that has no space for its record.
        case changing
        /// A mirror whose first copy is not finished.
        case copying
        /// A mirror that was promoted.
        case primary
        /// A primary that was replaced by a promoted mirror.
        case retired
    }

    /// `nil` for a store without a record: empty, or a primary that was never a mirror.
    var role: Role?
    /// The position of the source up to which the store is a copy; for a promoted mirror, at its promotion.
    var source: ChangeToken?
    /// The position of a promoted mirror in its own journal at its promotion.
    var start: ChangeToken?
    /// The version of the stored record; 0 if there is none.
    private(set) var version: Int64 = 0

    /// The prefix `larder_` is reserved: raw SQL cannot change the table.
    static let schema = EntitySchema(
        name: "larder_mirror",
        columns: [
            Column(name: "role", type: .text), Column(name: "source", type: .text, isNullable: true),
            Column(name: "start", type: .text, isNullable: true),
        ])

    static let key = EntityKey(schema, RawID(high: 0, low: 1))

    /// Reads the record of a store.
    static func read(_ store: any Store) async throws(PersistencyError) -> MirrorRecord {
        guard let object = try await store.read(key.id, of: schema) else { return MirrorRecord() }
        func text(_ index: Int) -> String? {
            if case .text(let text) = object.values[index] { text } else { nil }
        }
        var record = MirrorRecord()
        record.version = object.version
        record.role = text(0).flatMap(Role.init)
        guard record.role != nil else {
            throw .incompatible("the store has the role '\(text(0) ?? "")' among its mirrors, which is unknown here")
        }
        record.source = text(1).flatMap(ChangeToken.init)
        record.start = text(2).flatMap(ChangeToken.init)
        return record
    }

    /// Adds the record to a change set of its store, and counts its version as if the change set were stored.
    mutating func add(to changes: inout ChangeSet) {
        let values: [Value] = [
            role.map { .text($0.rawValue) } ?? .null, source.map { .text("\($0)") } ?? .null,
            start.map { .text("\($0)") } ?? .null,
        ]
        if version == 0 {
            changes.inserts.append(
                StorageObject(schema: Self.schema, id: Self.key.id, version: 1, values: values))
        } else {
            var update = ObjectChanges()
            update.columns = values.enumerated().map { ColumnChange(column: $0, value: $1) }
            changes.updates.append(RootUpdate(Self.key, expected: version, changes: update))
        }
        version += 1
    }

    /// Stores the record in a commit without other changes.
    func stored(in store: any Store) async throws(PersistencyError) -> MirrorRecord {
        var (record, changes) = (self, ChangeSet())
        record.add(to: &changes)
        _ = try await store.commit(changes)
        return record
    }
}
