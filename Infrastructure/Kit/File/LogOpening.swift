internal import LarderData
internal import LarderDomain

/// Opens a log: what is read, judged and put right before the first commit.
struct LogOpening: Sendable {
    let codec: LogCodec
    /// Makes what tells one log from another; the same twice would make torn logs look damaged.
    let salt: @Sendable () -> UInt64
    /// A log of fewer bytes is not compacted by itself.
    var compactionFloor = 1 << 16

    struct Opened {
        let state: StoreState
        let codec: LogCodec
        let log: LogAppender
        let liveBytes: Int
        let lock: any FileLock
    }

    /// Opens the log in a folder, or makes one where none is.
    ///
    /// After a clean close the log is taken as it is. After any other end it is written anew, also if all of it can be
    /// read: of what a failed sync left in memory alone, only a copy is known to be on the device. Throws `alreadyOpen`
    /// with the holder's words; `incompatible` and `unavailable` as ``LogReplay`` does, and then the log is as it was.
    func open(
        _ place: LogPlace, _ configuration: FileStore.Configuration? = nil
    ) throws(PersistencyError) -> LogEngine {
        let fileSystem = place.fileSystem
        if try fileSystem.status(place.log) == nil { try fileSystem.makeFolders(place.folder) }
        let lock = try LockFile.waiting(configuration?.busyTimeout ?? .zero) { () throws(PersistencyError) in
            try fileSystem.lock(place.lock, purpose: configuration?.purpose)
        }
        try place.removeIfThere(place.draft)
        let hasMarker = try fileSystem.status(place.marker) != nil
        guard let found = try fileSystem.status(place.log) else {
            // A log that was closed does not go by itself.
            guard !hasMarker else {
                let trouble = "\(place.log) is missing, though \(place.marker) says that it was closed"
                throw LogDamage(path: place.log, offset: 0, trouble: trouble).persistencyError
            }
            return try written(StoreState(schemas: codec.schemas), codec, place, lock)
        }
        try place.checkLog(found)
        let file = try fileSystem.open(place.log)
        let marker = try place.readMarker()
        let replay = try LogReplay(file, path: place.log, codec: codec)
        if let marker, marker != replay.marker {
            let offset = min(replay.length, marker.length)
            let trouble =
                "\(place.log) does not end as \(place.marker) says, from byte \(offset) on (remove the latter if the log is "
                + "an older copy)"
            throw LogDamage(path: place.log, offset: offset, trouble: trouble).persistencyError
        }
        // Also where none is: whoever took it away may have been killed before it was gone for good.
        var log = try LogAppender(
            place, file, salt: replay.salt, length: replay.length, count: replay.count, hasMarker: true)
        if marker != nil, replay.head.isCurrent {
            let opened = Opened(
                state: replay.state, codec: replay.head.codec, log: log, liveBytes: replay.liveBytes, lock: lock)
            return LogEngine(opened, self)
        }
        let state = try replay.state.filling(AddedDerivations(codec.schemas, added: replay.head.added))
        try log.removeMarker()
        let dropped = replay.isTorn ? try keptTail(of: replay, file, place) : nil
        let engine = try written(state, replay.head.codec, place, lock)
        if let dropped { configuration?.onRecovery?(dropped) }
        return engine
    }

    /// Copies what follows the last good record, before the log is written anew without it.
    private func keptTail(
        of replay: LogReplay, _ file: any OpenFile, _ place: LogPlace
    ) throws(PersistencyError) -> DroppedTail {
        let copy = place.folder + "larder.dropped-" + String(replay.salt, radix: 16)
        let end = try file.size()
        try file.copy(replay.length..<max(replay.length, end), to: copy, place.fileSystem)
        try place.fileSystem.syncFolder(place.folder)
        return DroppedTail(
            log: place.log, offset: replay.length, size: end - replay.length,
            content: "a record after commit \(replay.state.sequence) that was cut short", copy: copy)
    }

    /// Begins a log of a state, in the place of the one that is there.
    private func written(
        _ state: StoreState, _ codec: LogCodec, _ place: LogPlace, _ lock: any FileLock
    ) throws(PersistencyError) -> LogEngine {
        let (log, liveBytes) = try codec.write(state, to: place, salt: salt())
        return LogEngine(Opened(state: state, codec: codec, log: log, liveBytes: liveBytes, lock: lock), self)
    }
}

extension LogReplay {
    /// What a clean close would have left; none where a record was cut short.
    fileprivate var marker: LogMarker? {
        isTorn ? nil : LogMarker(length: length, count: count, sequence: state.sequence, salt: salt)
    }
}
