internal import LarderData
internal import LarderDomain

extension MirrorFollower {
    /// Checks that the store is a mirror of the primary, or empty: then it is filled. Commits wait during the copy.
    ///
    /// - Throws: `incompatible` for a store that must not be changed: with other data, or with later commits.
    func prepare() async throws(PersistencyError) {
        let end = try await primary.store.commit(ChangeSet()).token
        record = try await MirrorRecord.read(mirror.store)
        switch record.role {
        case nil:
            for schema in mirror.store.schemas.roots where schema.name != MirrorRecord.schema.name {
                let first = try await mirror.store.ids(ReadRequest(schema, limit: 1, content: .versions))
                guard first.isEmpty else { throw refused("contains data, and is not a mirror") }
            }
            try await gate.alone { () throws(PersistencyError) in try await copy() }
        case .copying: throw refused("is incomplete, because its first copy was interrupted")
        case .primary: throw .incompatible("\(mirror.name) was promoted: it is the primary now, and not a mirror")
        case .retired: throw refused("was the primary before another store was promoted")
        case .mirror, .changing:
            guard let source = record.source else { throw refused("has no position") }
            if source.lifetime != end.lifetime { try await adopt(source) }
            guard let position = record.source?.position, position <= end.position else {
                throw .incompatible(
                    "\(mirror.name) has commits that \(primary.name) has lost: promote it, or move it away")
            }
            reached(ChangeToken(lifetime: end.lifetime, position: position))
            if record.role == .changing { try await catchUp() }
        }
    }

    /// Follows the journal of a promoted mirror from its promotion, if this store had the same commits then.
    private func adopt(_ source: ChangeToken) async throws(PersistencyError) {
        let origin = try await MirrorRecord.read(primary.store)
        guard record.role == .mirror, origin.role == .primary, origin.source == source, let start = origin.start else {
            throw refused("is a mirror of another store, or of \(primary.name) before it was replaced or restored")
        }
        try await store(.mirror, at: start)
    }

    private func refused(_ reason: String) -> PersistencyError {
        .incompatible("\(mirror.name) \(reason): \(PersistencyError.movingAway)")
    }

    /// Copies everything in commits of a few MiB. Each commit contains the targets of its references, if they are not
    /// in the mirror yet.
    ///
    /// - Throws: `unavailable` (`tooLarge`) for roots that refer to each other and do not fit into one commit.
    private func copy() async throws(PersistencyError) {
        let end = try await primary.store.commit(ChangeSet()).token
        try await store(.copying, at: nil)
        var copied = CopiedRoots()
        var (changes, bytes) = (ChangeSet(), 0)
        changes.keepsVersions = true
        for schema in mirror.store.schemas.roots where schema.name != MirrorRecord.schema.name {
            copied.begin(schema)
            var page = ReadRequest(schema, limit: 256, content: .versions)
            while true {
                let ids = try await primary.store.ids(page)
                for id in ids {
                    var missing = [EntityReference(entity: schema.name, id: id)]
                    while let next = missing.popLast() {
                        guard copied.insert(next), let schema = mirror.store.schemas[next.entity],
                            let root = try await primary.store.read(next.id, of: schema)
                        else { continue }
                        changes.inserts.append(root)
                        bytes += ChangeSet(inserts: [root]).byteCount
                        missing += root.outgoingReferences.map(\.target)
                    }
                    guard changes.inserts.count >= 512 || bytes >= 4 << 20 else { continue }
                    try await flush(&changes)
                    bytes = 0
                }
                copied.endPage(ids)
                guard let last = ids.last, ids.count == 256 else { break }
                page.after = Place(values: [], id: last)
            }
        }
        try await flush(&changes)
        try await store(.mirror, at: end)
        reached(end)
    }

    private func flush(_ changes: inout ChangeSet) async throws(PersistencyError) {
        if !changes.inserts.isEmpty { _ = try await mirror.store.commit(changes) }
        (changes.id, changes.inserts) = (CommitID(), [])
    }
}

/// The roots that a copy has read: all of the schemas before the current one, those of the current one up to an id, and
/// others because a root refers to them.
private struct CopiedRoots {
    /// The schemas in the order of the copy; the last is the current one.
    private var schemas: [String] = []
    /// The last root of the previous pages.
    private var last: RawID?
    private var others: Set<EntityReference> = []

    mutating func begin(_ schema: EntitySchema) {
        schemas.append(schema.name)
        last = nil
    }

    /// - Returns: Whether the root is not copied yet.
    mutating func insert(_ root: EntityReference) -> Bool {
        if schemas.dropLast().contains(root.entity) { return false }
        if schemas.last == root.entity, let last, root.id <= last { return false }
        return others.insert(root).inserted
    }

    /// Replaces the ids of a page by its end.
    mutating func endPage(_ ids: [RawID]) {
        guard let schema = schemas.last else { return }
        for id in ids { others.remove(EntityReference(entity: schema, id: id)) }
        last = ids.last ?? last
    }
}

extension MirrorFollower {
    /// Prepares the mirror and brings it to a position. A mirror that cannot be reached is tried again later.
    func start(upTo end: ChangeToken) async throws(PersistencyError) {
        do throws(PersistencyError) {
            try await prepare()
            if let source = record.source, source.position < end.position { try await catchUp() }
        } catch  where error.isTransient {
            note(error)
        }
    }
}

extension Store {
    /// The ids of a page, ascending.
    fileprivate func ids(_ request: ReadRequest) async throws(PersistencyError) -> [RawID] {
        try await read(request) { root throws(PersistencyError) in root.id }.items
    }
}
