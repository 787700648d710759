import LarderData
import LarderDomain

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// The opening of a log, a copy of ``LogOpening`` with one wrong step.
struct MistakenOpening {
    let opening: LogOpening
    let place: LogPlace
    let mistake: Mistake

    func open() throws(PersistencyError) -> LogEngine {
        let fileSystem = place.fileSystem
        if mistake == .locksLate {
            if try fileSystem.status(place.log) != nil { try fileSystem.removeIfThere(place.draft) }
            return try opening.open(place)
        }
        guard try fileSystem.status(place.log)?.size ?? 0 > 0 else {
            return try opening.open(place)
        }
        let lock = try fileSystem.lock(place.lock, purpose: nil)
        try fileSystem.removeIfThere(place.draft)
        let (marker, file) = (try place.readMarker(), try fileSystem.open(place.log))
        var replay: LogReplay
        do throws(PersistencyError) {
            replay = try LogReplay(file, path: place.log, declared: opening.schemas)
            try replay.run()
        } catch {
            guard mistake == .damageIsNew, error.damage != nil else { throw error }
            let history = SchemaRecord(creating: opening.schemas, at: opening.now()).history
            return try written(StoreState(schemas: opening.schemas), LogCodec(opening.schemas, history: history), lock)
        }
        let target = try LogTarget(opening.schemas, over: replay.head, hasJournal: false, at: opening.now())
        let state = try StateMigration(plan: target.plan, ids: opening.ids, progress: nil)
            .migrated(replay.state, to: target.schemas, target.further)
        let codec = LogCodec(
            target.schemas, further: target.further, history: target.history, recordBytes: opening.recordBytes)
        if let marker, !accepts(marker, replay) {
            throw LogDamage(path: place.log, offset: min(replay.end.length, marker.length)).persistencyError
        }
        var log = try LogAppender(
            place, file, replay.end, hasMarker: marker != nil || mistake != .noSyncBeforeRewriting)
        let isTaken =
            switch mistake {
            case .repairsInPlace: true
            case .takesUnclosed: !replay.isTorn
            default: marker != nil && !replay.isTorn
            }
        if isTaken, target.isCurrent {
            if replay.isTorn {
                try file.truncate(to: replay.end.length)
                try file.sync()
            }
            return LogEngine(state, codec, nil, log, liveBytes: replay.liveBytes, lock, opening)
        }
        if mistake != .markerOfOldLog { try log.removeMarker() }
        if replay.isTorn, let disk = fileSystem as? SimulatedFileSystem, let mistake = mistake.afterTorn {
            let place = try LogPlace(place.folder, MistakenFileSystem(disk, mistake))
            return try MistakenOpening(opening: opening, place: place, mistake: mistake).written(state, codec, lock)
        }
        return try written(state, codec, lock)
    }

    private func accepts(_ marker: LogMarker, _ replay: LogReplay) -> Bool {
        if mistake == .tornAfterClose, replay.isTorn { return true }
        if mistake == .markerOfAnyLog { return marker.length == replay.end.length }
        return !replay.isTorn && marker == LogMarker(replay.end, sequence: replay.state.sequence)
    }

    private func written(
        _ state: StoreState, _ codec: LogCodec, _ lock: any FileLock
    ) throws(PersistencyError) -> LogEngine {
        let (log, liveBytes) = try codec.write(state, nil, to: place, salt: opening.salt())
        return LogEngine(state, codec, nil, log, liveBytes: liveBytes, lock, opening)
    }
}

extension Mistake {
    /// The defects of the rewrite of a torn log.
    fileprivate var afterTorn: Mistake? {
        switch self {
        case .overwritesTorn: .overwrites
        case .removesTorn: .removesBeforeRename
        case .noSyncOfRecovered: .noSyncOfDraft
        default: nil
        }
    }
}
