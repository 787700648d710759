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
                var digester = EntityDigester(snapshot.codec, progress)
                try snapshot.visit { root throws(PersistencyError) in try digester.add(root) }
                return digester.entities
            }
        }
        try store.schemas.checkUnsealed("digest")
        var digester = EntityDigester(LogCodec(store.schemas), progress)
        try await store.forEachRoot { root throws(PersistencyError) in try digester.add(root) }
        return digester.entities
    }
}

/// Digests the roots of a store.
private struct EntityDigester {
    private let codec: LogCodec
    private let progress: BackupProgress?
    private let places: [String: Int]
    private var count = 0
    private(set) var entities: [EntityDigest]

    init(_ codec: LogCodec, _ progress: BackupProgress?) {
        (self.codec, self.progress) = (codec, progress)
        entities = codec.schemas.roots.map { EntityDigest(entity: $0.name) }
        places = Dictionary(uniqueKeysWithValues: entities.enumerated().map { ($1.entity, $0) })
    }

    mutating func add(_ root: StorageObject) throws(PersistencyError) {
        guard let place = places[root.schema.name] else { throw .unknownEntity(root.schema.name) }
        var writer = ValueWriter()
        codec.append(root, to: &writer)
        entities[place].add(encoded: writer.content)
        count += 1
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
