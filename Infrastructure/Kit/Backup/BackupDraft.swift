internal import LarderData
internal import LarderDomain

/// A backup under a temporary name, until it is complete and checked.
struct BackupDraft: Sendable {
    /// The attempts to read a store without snapshots while nothing is committed.
    private static let attempts = 5

    let path: String
    let replacing: Bool
    let fileSystem: any FileSystem
    let salt: UInt64
    /// A file without a name, which is written instead.
    var unnamed: (any OpenFile)?
    var now: @Sendable () -> Timestamp = Timestamp.now

    init(_ path: String, replacing: Bool, _ fileSystem: any FileSystem, salt: UInt64 = .random(in: .min ... .max)) {
        (self.path, self.replacing, self.fileSystem, self.salt) = (path, replacing, fileSystem, salt)
    }

    func write(_ store: any Store, _ progress: BackupProgress? = nil) async throws(PersistencyError) -> Backup {
        // A snapshot may take minutes.
        try checkTarget()
        if let store = store.feature((any SnapshotStore).self) {
            if store.isSealed { throw .passphrase(.plainBackup, path) }
            return try await store.withSnapshot(progress) { snapshot throws(PersistencyError) in
                try write(snapshot, progress)
            }
        }
        return try await writeQuiescent(store, progress)
    }

    /// Writes a snapshot. Blocks.
    func write(_ snapshot: StoreSnapshot, _ progress: BackupProgress? = nil) throws(PersistencyError) -> Backup {
        let draft = try begin()
        var writer = try BackupWriter(
            draft.file, path: path, snapshot.codec, salt: salt, after: snapshot.sequence,
            lifetime: snapshot.lifetime)
        try snapshot.visit { root throws(PersistencyError) in
            try writer.add(root)
            if let progress, writer.count % 1000 == 0 { progress(writer.count) }
        }
        try writer.finish(at: now())
        return try end(draft)
    }

    /// Checks the file of the draft after the closure has written it.
    func receive(_ fill: (_ draft: String) async throws -> Void) async throws -> Backup {
        let draft = try begin()
        try await fill(draft.path)
        return try end(draft)
    }

    /// Reads a store in pages, again if something was committed meanwhile.
    private func writeQuiescent(
        _ store: any Store, _ progress: BackupProgress?
    ) async throws(PersistencyError) -> Backup {
        try store.schemas.checkUnsealed("backup")
        for _ in 0..<Self.attempts {
            let token = try await store.commit(ChangeSet()).token
            let draft = try begin()
            let codec = LogCodec(store.schemas, history: SchemaRecord(creating: store.schemas, at: now()).history)
            var writer = try BackupWriter(
                draft.file, path: path, codec, salt: salt, after: token.position, lifetime: token.lifetime)
            try await store.forEachRoot { root throws(PersistencyError) in
                try writer.add(root)
                progress?(writer.count)
            }
            guard try await store.commit(ChangeSet()).token == token else { continue }
            try writer.finish(at: now())
            return try end(draft)
        }
        throw .unavailable(
            Unavailable(
                .busy, "the store changed during each of \(Self.attempts) attempts to read it, and offers no snapshot"))
    }

    private func begin() throws(PersistencyError) -> DraftFile {
        try checkTarget()
        if let unnamed {
            // A part of an earlier attempt.
            try unnamed.truncate(to: 0)
            return DraftFile(unnamed: unnamed, fileSystem)
        }
        // A name that no other process uses, in the folder of the backup.
        return try DraftFile("\(path).\(String(salt, radix: 16)).new", fileSystem)
    }

    /// Syncs and checks the draft, and renames it.
    private func end(_ draft: DraftFile) throws(PersistencyError) -> Backup {
        try draft.file.sync()
        var reader = try BackupReader(draft.file, path: path)
        let backup = try reader.forEach()
        try checkTarget()
        if unnamed == nil { try draft.rename(to: path) }
        return backup
    }

    private func checkTarget() throws(PersistencyError) {
        guard !path.isEmpty, !path.utf8.contains(0), !path.hasSuffix("/") else {
            throw .failed("the path of the backup is empty, a folder, or contains U+0000")
        }
        try fileSystem.checkTarget(path, replacing: replacing)
    }
}
