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
        try replacing { file throws(PersistencyError) in
            var writer = try BackupWriter(
                file, path: draft, snapshot.codec, salt: salt, after: snapshot.sequence, lifetime: snapshot.lifetime)
            var count = 0
            try snapshot.visit { root throws(PersistencyError) in
                try writer.add(root)
                count += 1
                if let progress, count % 1000 == 0 { progress(count) }
            }
            try writer.finish(at: now())
        }
    }

    /// Checks the file of the draft after the closure has written it.
    func receive(_ fill: (_ draft: String) async throws -> Void) async throws -> Backup {
        let file = try begin()
        do {
            try await fill(draft)
            return try end(file)
        } catch {
            try? fileSystem.remove(draft)
            throw error
        }
    }

    /// Reads a store in pages, again if something was committed meanwhile.
    private func writeQuiescent(
        _ store: any Store, _ progress: BackupProgress?
    ) async throws(PersistencyError) -> Backup {
        try store.schemas.checkUnsealed("backup")
        for _ in 0..<Self.attempts {
            let token = try await store.commit(ChangeSet()).token
            let file = try begin()
            do throws(PersistencyError) {
                let codec = LogCodec(store.schemas, history: SchemaRecord(creating: store.schemas, at: now()).history)
                var writer = try BackupWriter(
                    file, path: draft, codec, salt: salt, after: token.position, lifetime: token.lifetime)
                try await store.forEachRoot { root throws(PersistencyError) in
                    try writer.add(root)
                    progress?(writer.count)
                }
                if try await store.commit(ChangeSet()).token == token {
                    try writer.finish(at: now())
                    return try end(file)
                }
                try fileSystem.remove(draft)
            } catch {
                try? fileSystem.remove(draft)
                throw error
            }
        }
        throw .unavailable(
            Unavailable(
                .busy, "the store changed during each of \(Self.attempts) attempts to read it, and offers no snapshot"))
    }

    /// A name that no other process uses, in the folder of the backup.
    private var draft: String { "\(path).\(String(salt, radix: 16)).new" }

    private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }

    private func replacing(
        _ body: (any OpenFile) throws(PersistencyError) -> Void
    ) throws(PersistencyError) -> Backup {
        let file = try begin()
        do throws(PersistencyError) {
            try body(file)
            return try end(file)
        } catch {
            try? fileSystem.remove(draft)
            throw error
        }
    }

    private func begin() throws(PersistencyError) -> any OpenFile {
        try checkTarget()
        return try fileSystem.create(draft)
    }

    /// Syncs and checks the draft, and renames it.
    private func end(_ file: any OpenFile) throws(PersistencyError) -> Backup {
        try file.sync()
        var reader = try BackupReader(file, path: path)
        let backup = try reader.forEach()
        try checkTarget()
        try fileSystem.rename(draft, to: path)
        try fileSystem.syncFolder(folder)
        return backup
    }

    private func checkTarget() throws(PersistencyError) {
        guard !path.isEmpty, !path.utf8.contains(0), !path.hasSuffix("/") else {
            throw .failed("the path of the backup is empty, a folder, or contains U+0000")
        }
        guard let found = try fileSystem.status(path) else { return }
        guard replacing, found.kind == .file else { throw .exists(path) }
    }
}

extension PersistencyError {
    /// A path that exists, and must not be replaced.
    static func exists(_ path: String) -> PersistencyError {
        .failed("\(path) exists already")
    }
}
