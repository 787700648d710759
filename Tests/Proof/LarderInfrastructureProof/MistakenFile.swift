import LarderDomain
import Synchronization

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// A file of a defective file system.
final class MistakenFile: OpenFile {
    enum Role: Sendable {
        case draft, log, marker
    }

    private struct State {
        var file: any OpenFile
        var role: Role
        var wasCut = false
        /// A write that is delayed until the sync.
        var waiting: (bytes: [UInt8], offset: Int)?
    }

    private let fileSystem: MistakenFileSystem
    private let state: Mutex<State>
    /// The offset in the underlying file.
    private let start: Int

    init(_ fileSystem: MistakenFileSystem, _ file: any OpenFile, _ role: Role, start: Int = 0) {
        (self.fileSystem, self.start) = (fileSystem, start)
        state = Mutex(State(file: file, role: role))
    }

    private var mistake: Mistake { fileSystem.mistake }
    private var file: any OpenFile { state.withLock { $0.file } }
    private var role: Role { state.withLock { $0.role } }

    /// Changes the role, for example when a new log replaces the old one.
    func become(_ role: Role, _ file: (any OpenFile)? = nil) {
        state.withLock { state in
            state.role = role
            if let file { state.file = file }
        }
    }

    func size() throws(PersistencyError) -> Int { try file.size() }

    func read(_ count: Int, at offset: Int) throws(PersistencyError) -> [UInt8] {
        let bytes = try file.read(count, at: offset)
        // The proof reads logs with one call; other reads are not of logs.
        guard mistake.means == .bytes || mistake == .noCap else { return bytes }
        if role == .marker {
            return mistake == .noChecksumOfMarker ? BelievedBytes(mistake).marker(bytes) : bytes
        }
        guard offset == 0 else { return bytes }
        if mistake == .noCap, let length = BelievedBytes(mistake).longest(bytes) {
            _ = try file.read(length, at: offset)
        }
        return BelievedBytes(mistake).log(bytes)
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(PersistencyError) -> Int {
        if mistake != .markerGoesLate { fileSystem.catchUp() }
        let (file, role) = (file, role)
        if mistake == .syncsBeforeWrite, role == .log {
            state.withLock { $0.waiting = (bytes, offset) }
            return bytes.count
        }
        do throws(PersistencyError) {
            let count = try file.write(bytes, at: start + offset)
            if mistake == .goesOnAfterFailedSync, role == .log { try file.sync() }
            return mistake == .ignoresShortWrite ? bytes.count : count
        } catch {
            guard mistake == .ignoresFailedWrite else { throw error }
            return bytes.count
        }
    }

    func truncate(to length: Int) throws(PersistencyError) {
        state.withLock { $0.wasCut = true }
        if mistake == .noCutBack { return }
        try file.truncate(to: length)
    }

    func sync() throws(PersistencyError) {
        let (file, role) = (file, role)
        let (wasCut, waiting) = state.withLock { state in
            defer { (state.wasCut, state.waiting) = (false, nil) }
            return (state.wasCut, state.waiting)
        }
        switch mistake {
        case .noSyncOfLog where role == .log, .noSyncOfDraft where role == .draft: return
        case .noSyncOfCutBack where wasCut: return
        case .acknowledgesBeforeSync where role == .log, .renamesBeforeSync where role == .draft:
            return fileSystem.later { try file.sync() }
        case .goesOnAfterFailedSync where role == .log && !wasCut: return
        default: break
        }
        do throws(PersistencyError) {
            try file.sync()
        } catch {
            switch mistake {
            case .retriesSync: try file.sync()
            case .retriesInterruptedSync where error.systemNumber == 4: try file.sync()
            case .ignoresFailedSync: break
            default: throw error
            }
        }
        if let waiting { _ = try file.write(waiting.bytes, at: waiting.offset) }
        if mistake == .markerGoesLate, role == .log { fileSystem.catchUp() }
    }
}
