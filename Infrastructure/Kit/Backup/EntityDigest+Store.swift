public import LarderData
public import LarderDomain

extension EntityDigest {
    /// The digest of each root entity of a store, in the order of the schemas that the store has recorded, as of one
    /// commit: stores with equal digests have equal content, whatever their kind.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - progress: Receives the number of roots; called on a thread of the store.
    /// - Throws: `unavailable` if the store cannot be read; `cancelled`; `incompatible` for a sealed store whose base
    ///   offers no snapshot: a digest of plain values confirms a guess.
    /// - Complexity: O(*n*), with the memory and the temporary space of a backup. A store of another package that offers
    ///   no snapshot is read in pages, and must not change meanwhile.
    public static func all(
        of store: any Store, progress: BackupProgress? = nil
    ) async throws(PersistencyError) -> [EntityDigest] {
        if let store = store.feature((any SnapshotStore).self) {
            return try await store.withSnapshot(progress) { snapshot throws(PersistencyError) in
                var digests = EntityDigests(snapshot.codec)
                try snapshot.visit { root throws(PersistencyError) in try digests.add(root, progress) }
                return digests.entities
            }
        }
        try store.schemas.checkUnsealed("digest")
        var digests = EntityDigests(LogCodec(store.schemas))
        try await store.forEachRoot { root throws(PersistencyError) in try digests.add(root, progress) }
        return digests.entities
    }
}

/// The digests of the root entities of a store or a backup.
struct EntityDigests {
    let codec: LogCodec
    private(set) var entities: [EntityDigest]
    /// The number of roots.
    private(set) var count = 0
    private let places: [String: Int]

    init(_ codec: LogCodec) {
        self.codec = codec
        entities = codec.schemas.roots.map { EntityDigest(entity: $0.name) }
        places = Dictionary(uniqueKeysWithValues: entities.enumerated().map { ($1.entity, $0) })
    }

    /// Appends a root to a record, and digests it.
    mutating func add(_ root: StorageObject, to record: inout ValueWriter) throws(PersistencyError) {
        guard let place = places[root.schema.name] else { throw .unknownEntity(root.schema.name) }
        let start = record.bytes.count
        codec.append(root, to: &record)
        entities[place].add(encoded: record.bytes[start...])
        count += 1
    }

    fileprivate mutating func add(_ root: StorageObject, _ progress: BackupProgress?) throws(PersistencyError) {
        var writer = ValueWriter()
        try add(root, to: &writer)
        guard count % 1000 == 0 else { return }
        if Task.isCancelled { throw .cancelled }
        progress?(count)
    }
}

extension Store {
    /// Lends all roots in the order of schemas and ids, read in pages.
    func forEachRoot(
        _ body: (StorageObject) throws(PersistencyError) -> Void
    ) async throws(PersistencyError) {
        for schema in schemas.roots {
            var request = ReadRequest(schema, limit: 64)
            repeat {
                let page = try await read(request)
                for root in page.items { try body(root) }
                request.after = page.next
            } while request.after != nil
        }
    }
}
