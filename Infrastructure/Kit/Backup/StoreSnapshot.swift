package import LarderData
package import LarderDomain

/// All roots of a store as of one commit, in the schemas that the store has recorded: including columns and entities
/// that this version of the program does not declare.
package struct StoreSnapshot {
    package typealias Visitor = (StorageObject) throws(PersistencyError) -> Void

    /// Encodes the roots.
    let codec: LogCodec
    /// The number of the commit.
    let sequence: Int64
    /// The lifetime of its token; 0 without a journal.
    var lifetime: UInt64 = 0
    /// Lends every root once, in the order of the codec's schemas and of ids. Blocks.
    let visit: (Visitor) throws(PersistencyError) -> Void
}

/// A store that offers snapshots of everything that it contains.
package protocol SnapshotStore: Store {
    /// Whether its files are sealed by a passphrase.
    var isSealed: Bool { get }

    /// Lends a snapshot on a thread that may block. Commits and reads continue meanwhile.
    ///
    /// - Parameter progress: Receives the number of roots that were copied before, if the store copies them.
    func withSnapshot<Result: Sendable>(
        _ progress: BackupProgress?, _ body: @Sendable (StoreSnapshot) throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result
}

extension SnapshotStore {
    package var isSealed: Bool { false }
}

extension StoreSnapshot {
    /// The snapshot of a store of another module.
    package init(
        _ schemas: SchemaSet, _ record: SchemaRecord, _ token: ChangeToken,
        visit: @escaping (Visitor) throws(PersistencyError) -> Void
    ) {
        let codec = LogCodec(schemas, history: record.history)
        self.init(codec: codec, sequence: token.position, lifetime: token.lifetime, visit: visit)
    }

    /// The snapshot of a state in memory, which is a copy that shares its storage.
    init(_ state: StoreState, _ codec: LogCodec, lifetime: UInt64 = 0) {
        (self.codec, self.lifetime) = (codec, lifetime)
        sequence = state.sequence
        visit = { body throws(PersistencyError) in
            for schema in codec.schemas.roots {
                for root in try state.table.table(of: schema).roots { try body(root) }
            }
        }
    }
}
