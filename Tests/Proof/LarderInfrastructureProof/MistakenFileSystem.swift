import LarderDomain
import Synchronization

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// A process's view of a disk, with a defect in its calls.
final class MistakenFileSystem: FileSystem {
    /// The delayed calls, and the last change of names.
    struct State {
        var late: [@Sendable () throws -> Void] = []
        var lastChange = ""
        var draft: MistakenFile?
    }

    let mistake: Mistake
    private let disk: SimulatedFileSystem
    let state = Mutex(State())

    init(_ disk: SimulatedFileSystem, _ mistake: Mistake) {
        (self.disk, self.mistake) = (disk, mistake)
    }

    /// Makes the delayed calls before anything else.
    func catchUp() {
        let late = state.withLock { state in
            defer { state.late = [] }
            return state.late
        }
        for call in late { try? call() }
    }

    func later(_ call: @escaping @Sendable () throws -> Void) {
        state.withLock { $0.late.append(call) }
    }

    func status(_ path: String) throws(PersistencyError) -> FileStatus? {
        if mistake != .markerGoesLate { catchUp() }
        let found = try disk.status(path)
        if path.hasSuffix(".log") {
            if mistake == .emptyIsNew, found?.isFile == true, found?.size == 0 { return nil }
            if mistake == .replacesAnything, let found, !found.isFile || found.size == 0 { return nil }
        }
        if mistake == .staleDraftStays, path.hasSuffix(".new") { return nil }
        return found
    }

    func makeFolder(_ path: String) throws(PersistencyError) { try disk.makeFolder(path) }

    func create(_ path: String) throws(PersistencyError) -> any OpenFile {
        if mistake == .staleDraftStays, path.hasSuffix(".new"), try disk.status(path) != nil {
            return file(try disk.open(path), path)
        }
        if mistake == .markerInLog, path.hasSuffix(".closed") {
            let log = try disk.open(ProofBench.folder + "/larder.log")
            return MistakenFile(self, log, .marker, start: try log.size())
        }
        return file(try disk.create(path), path)
    }

    func open(_ path: String) throws(PersistencyError) -> any OpenFile { file(try disk.open(path), path) }

    private func file(_ file: any OpenFile, _ path: String) -> MistakenFile {
        let role: MistakenFile.Role =
            path.hasSuffix(".new") ? .draft : path.hasSuffix(".log") ? .log : .marker
        let file = MistakenFile(self, file, role)
        if role == .draft { state.withLock { $0.draft = file } }
        return file
    }

    func rename(_ path: String, to new: String) throws(PersistencyError) {
        state.withLock { $0.lastChange = "rename" }
        let draft = state.withLock { $0.draft }
        if mistake == .removesBeforeRename, try disk.status(new) != nil { try disk.remove(new) }
        if mistake == .overwrites, try disk.status(new) != nil, let draft {
            let (bytes, log) = (try draft.read(draft.size(), at: 0), try disk.open(new))
            try log.truncate(to: 0)
            try log.writeAll(bytes, at: 0, path: new)
            try log.sync()
            try disk.remove(path)
            draft.become(.log, log)
        } else {
            try disk.rename(path, to: new)
            draft?.become(.log)
        }
        if mistake == .renamesBeforeSync { catchUp() }
    }

    func remove(_ path: String) throws(PersistencyError) {
        state.withLock { $0.lastChange = "remove" }
        let isMarker = path.hasSuffix(".closed")
        if mistake == .markerStays, isMarker { return }
        let disk = disk
        if mistake == .markerGoesLate, isMarker { return later { try disk.remove(path) } }
        try disk.remove(path)
    }

    func syncFolder(_ path: String) throws(PersistencyError) {
        let (disk, isOwn) = (disk, path.hasPrefix(ProofBench.folder))
        let last = state.withLock { $0.lastChange }
        switch mistake {
        case .noSyncOfFolders: return
        case .noSyncAfterRename where last == "rename", .noSyncAfterRemoval where last == "remove": return
        case .noSyncOfParent where !isOwn: return
        case .opensBeforeSync where isOwn: return later { try disk.syncFolder(path) }
        default: try disk.syncFolder(path)
        }
    }

    func lock(_ path: String, purpose: String?) throws(PersistencyError) -> any FileLock {
        if mistake == .noLock { return NoLock() }
        return try disk.lock(path, purpose: purpose)
    }

    private final class NoLock: FileLock {}
}
