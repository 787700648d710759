internal import LarderData
internal import LarderDomain

/// Opens a log: reads it, verifies it, and repairs it before the first commit.
struct LogOpening: Sendable {
    let schemas: SchemaSet
    /// The target size of a record; see ``LogCodec``.
    var recordBytes = 1 << 20
    /// Creates the salt that distinguishes one log from another. A repeated salt would make torn logs look damaged.
    let salt: @Sendable () -> UInt64
    /// A smaller log is not compacted automatically; in bytes.
    var compactionFloor = 1 << 16
    /// The clock of the history of the schemas.
    var now: @Sendable () -> Timestamp = Timestamp.now
    /// Creates the ids of objects that migrations insert.
    var ids: any IDGenerator = UUIDv7Generator()

    /// Opens the log in a folder, or creates a missing one, and migrates it to the schemas.
    ///
    /// Keeps the log after a clean close with the current schemas. Rewrites any other log, even a readable one: after a
    /// failed sync, data may be in memory only, and only a copy is known to be on the device. Throws `alreadyOpen` with
    /// the holder, `incompatible` as ``SchemaPlanner`` and ``StateMigration``, and `unavailable` as ``LogReplay``; the log
    /// is unchanged then.
    func open(
        _ place: LogPlace, _ configuration: FileStore.Configuration? = nil
    ) throws(PersistencyError) -> LogEngine {
        if let configuration, configuration.isReadOnly { return try openForReading(place, configuration) }
        let fileSystem = place.fileSystem
        if try fileSystem.status(place.log) == nil { try fileSystem.makeFolders(place.folder) }
        let lock = try LockFile.waiting(configuration?.busyTimeout ?? .zero) { () throws(PersistencyError) in
            try fileSystem.lock(place.lock, purpose: configuration?.purpose)
        }
        try place.fileSystem.removeIfThere(place.draft)
        let hasMarker = try fileSystem.status(place.marker) != nil
        guard let status = try fileSystem.status(place.log) else {
            // A cleanly closed log does not disappear in a crash.
            guard !hasMarker else {
                let trouble = "\(place.log) is missing, but \(place.marker) records a clean close"
                throw LogDamage(path: place.log, offset: 0, trouble: trouble).persistencyError
            }
            let history = SchemaRecord(creating: schemas, at: now()).history
            let codec = LogCodec(schemas, history: history, recordBytes: recordBytes)
            let journal = configuration?.journal.map { LogJournal(RetainedCommits($0, since: now())) }
            let seal = try configuration?.sealing.map { sealing throws(PersistencyError) in try LogSeal(sealing) }
            return try written(StoreState(schemas: schemas), codec, journal, place, seal, lock)
        }
        try place.checkLog(status)
        try status.checkNames(place.log)
        let file = try fileSystem.open(place.log)
        // There may be a marker even if none is found, because its removal may not be durable after a crash.
        let (replay, target, codec, found, end, isClosed) = try read(file, place, configuration, mayHaveMarker: true)
        var (state, log) = (found, end)
        if isClosed, target.isCurrent {
            return LogEngine(state, codec, replay.journal, log, liveBytes: replay.liveBytes, lock, self)
        }
        let bounds = configuration?.journal
        var journal = replay.journal ?? bounds.map { LogJournal(RetainedCommits($0, since: now())) }
        if !target.plan.isAdditive, let bounds, let lifetime = journal?.lifetime {
            // A gap: the names of entities in earlier commits may have changed.
            state.skipCommit()
            journal = LogJournal(lifetime: lifetime, RetainedCommits(bounds, since: now()))
        }
        if !target.plan.isAdditive, configuration?.migration.copies != false {
            try keepCopy(file, version: target.plan.record.version, place)
        }
        try log.removeMarker()
        let dropped = replay.isTorn ? try keptTail(of: replay, file, place) : nil
        let engine = try written(state, codec, journal, place, replay.end.seal, lock)
        if let dropped { configuration?.onRecovery?(dropped) }
        return engine
    }

    /// Reads a log, and migrates its state in memory. `isClosed` is whether it was closed cleanly.
    private func read(
        _ file: any OpenFile, _ place: LogPlace, _ configuration: FileStore.Configuration?, mayHaveMarker: Bool
    ) throws(PersistencyError) -> (LogReplay, LogTarget, LogCodec, StoreState, LogAppender, isClosed: Bool) {
        let bounds = configuration?.journal
        var replay = try LogReplay(
            file, path: place.log, declared: schemas, sealing: configuration?.sealing, journal: bounds)
        let target = try LogTarget(schemas, over: replay.head, hasJournal: bounds != nil, at: now())
        try target.plan.check(configuration?.migration ?? MigrationOptions())
        try replay.run()
        let marker = try place.readMarker()
        try replay.check(marker, place)
        let log = try LogAppender(place, file, replay.end, hasMarker: mayHaveMarker)
        let codec = LogCodec(target.schemas, further: target.further, history: target.history, recordBytes: recordBytes)
        let state = try StateMigration(plan: target.plan, ids: ids, progress: configuration?.migration.progress)
            .migrated(replay.state, to: target.schemas, target.further)
        return (replay, target, codec, state, log, marker != nil)
    }

    /// Copies the log of an earlier version durably, before a migration replaces it.
    private func keepCopy(_ file: any OpenFile, version: Int, _ place: LogPlace) throws(PersistencyError) {
        let copy = place.copy(ofVersion: version)
        try file.copy(0..<file.size(), to: copy + ".new", place.fileSystem)
        try place.fileSystem.rename(copy + ".new", to: copy)
        try place.fileSystem.syncFolder(place.folder)
    }

    /// Copies the bytes after the last intact record, before the log is rewritten without them.
    private func keptTail(
        of replay: LogReplay, _ file: any OpenFile, _ place: LogPlace
    ) throws(PersistencyError) -> DroppedTail {
        let copy = place.folder + "larder.dropped-" + String(replay.end.salt, radix: 16)
        let (start, end) = (replay.end.length, try file.size())
        try file.copy(start..<max(start, end), to: copy, place.fileSystem)
        try place.fileSystem.syncFolder(place.folder)
        return DroppedTail(
            log: place.log, offset: start, size: end - start,
            content: "a record after commit \(replay.state.sequence) that was truncated", copy: copy)
    }

    /// Replaces the log, if any, with a compact log of a state.
    private func written(
        _ state: StoreState, _ codec: LogCodec, _ journal: LogJournal?, _ place: LogPlace, _ seal: LogSeal?,
        _ lock: any FileLock
    ) throws(PersistencyError) -> LogEngine {
        let (log, liveBytes) = try codec.write(state, journal, to: place, salt: salt(), seal: seal)
        return LogEngine(state, codec, journal, log, liveBytes: liveBytes, lock, self)
    }
}

extension LogOpening {
    /// Reads the log in a folder without changing or creating a file. Pending changes of the schemas are applied to the state
    /// in memory. A torn record at the end is not read.
    private func openForReading(
        _ place: LogPlace, _ configuration: FileStore.Configuration
    ) throws(PersistencyError) -> LogEngine {
        _ = try place.existingLog()
        let lock = try LockFile.waiting(configuration.busyTimeout) { () throws(PersistencyError) in
            try place.fileSystem.lockForReading(place.lock)
        }
        let file = try place.fileSystem.openForReading(place.log)
        let (replay, _, codec, state, log, _) = try read(file, place, configuration, mayHaveMarker: false)
        return LogEngine(state, codec, replay.journal, log, liveBytes: replay.liveBytes, lock, self, failure: .readOnly)
    }
}

extension LogReplay {
    /// Rejects a log that does not end as its marker says. A torn log has no marker.
    fileprivate func check(_ marker: LogMarker?, _ place: LogPlace) throws(PersistencyError) {
        guard let marker, isTorn || marker != LogMarker(end, sequence: state.sequence) else { return }
        let offset = min(end.length, marker.length)
        let trouble =
            "\(place.log) does not end as \(place.marker) says, from byte \(offset) on (remove the latter if the log is "
            + "an older copy)"
        throw LogDamage(path: place.log, offset: offset, trouble: trouble).persistencyError
    }
}
