import LarderDomain
import Synchronization

@testable import LarderInfrastructure

/// A file system in memory that simulates a loss of power, logs its calls, and injects faults.
final class SimulatedFileSystem: FileSystem {
    struct State: Sendable {
        var disk: SimulatedDisk
        /// All calls so far, including failed ones.
        var operations: [SimulatedOperation] = []
        /// The disks before the first call and after each call, if the history is kept.
        var history: [SimulatedDisk] = []
        var locks: [String: String] = [:]
        /// The injected fault for a call, given its number, from 0.
        var fault: (@Sendable (Int, SimulatedOperation) -> SimulatedFault?)?
        /// The number of free bytes.
        var capacity = Int.max
        var keepsHistory: Bool
    }

    let state: Mutex<State>

    /// - Parameter keepsHistory: Whether ``disk(after:)`` is available; each call then copies the data that it changes.
    init(_ disk: SimulatedDisk = SimulatedDisk(), keepsHistory: Bool = false) {
        state = Mutex(State(disk: disk, history: keepsHistory ? [disk] : [], keepsHistory: keepsHistory))
    }

    /// The current disk.
    var disk: SimulatedDisk { state.withLock { $0.disk } }

    /// The number of calls.
    var operationCount: Int { state.withLock { $0.operations.count } }

    /// All calls so far.
    var operations: [SimulatedOperation] { state.withLock { $0.operations } }

    /// The disk after the given number of calls; only if the history is kept.
    func disk(after operations: Int) -> SimulatedDisk { state.withLock { $0.history[operations] } }

    /// Sets the faults from now on.
    func inject(_ fault: (@Sendable (Int, SimulatedOperation) -> SimulatedFault?)?) {
        state.withLock { $0.fault = fault }
    }

    /// Sets the number of free bytes from now on.
    func limit(to capacity: Int) {
        state.withLock { $0.capacity = capacity }
    }

    /// Ends all users of the disk as `kill -9` would: locks are released, everything else remains.
    func killProcess() {
        state.withLock { $0.locks = [:] }
    }

    /// Changes the disk without a call.
    func tamper(_ body: (inout SimulatedDisk) -> Void) {
        state.withLock { body(&$0.disk) }
    }
}

extension SimulatedFileSystem {
    func status(_ path: String) throws(PersistencyError) -> FileStatus? {
        try perform("lstat", path, { .status($0) }) { disk, path throws(Failure) in
            switch disk.names[path] {
            case nil: nil
            case .folder?: FileStatus(isFile: false, size: 0)
            case .other?: FileStatus(isFile: false, size: 0)
            case .file(let number)?:
                FileStatus(
                    isFile: true, size: disk.nodes[number]?.live.count ?? 0,
                    identity: FileIdentity(device: 0, inode: UInt64(number)))
            }
        }
    }

    func makeFolder(_ path: String) throws(PersistencyError) {
        try perform("mkdir", path, { .makeFolder($0) }) { disk, path throws(Failure) in
            if disk.names[path] != nil { throw Failure.exists }
            disk.setNames([(path, .folder)])
        }
    }

    func create(_ path: String) throws(PersistencyError) -> any OpenFile {
        let number = try perform("open", path, { .create($0) }) { disk, path throws(Failure) in
            if disk.names[path] != nil { throw Failure.exists }
            guard disk.names[SimulatedDisk.folder(of: path)] == .folder else { throw Failure.missing }
            return disk.makeNode(path)
        }
        return SimulatedFile(self, number)
    }

    func open(_ path: String) throws(PersistencyError) -> any OpenFile {
        let number = try perform("open", path, { .open($0) }) { disk, path throws(Failure) in
            guard let entry = disk.names[path] else { throw Failure.missing }
            guard case .file(let number) = entry else { throw Failure.invalid }
            return number
        }
        return SimulatedFile(self, number)
    }

    func rename(_ path: String, to new: String) throws(PersistencyError) {
        try perform("rename", path, { .rename($0, to: new) }) { disk, path throws(Failure) in
            guard let entry = disk.names[path] else { throw Failure.missing }
            if case .file(let number) = entry { disk.nodes[number]?.name = new }
            disk.setNames([(path, nil), (new, entry)])
        }
    }

    func remove(_ path: String) throws(PersistencyError) {
        try perform("unlink", path, { .remove($0) }) { disk, path throws(Failure) in
            guard let entry = disk.names[path] else { throw Failure.missing }
            if entry == .folder { throw Failure.invalid }
            disk.setNames([(path, nil)])
        }
    }

    func syncFolder(_ path: String) throws(PersistencyError) {
        try perform("sync", path, { .syncFolder($0) }) { disk, path throws(Failure) in
            disk.syncFolder(path)
        } failed: { disk, path in
            disk.failSyncFolder(path)
        }
    }

    func lock(_ path: String, purpose: String?) throws(PersistencyError) -> any FileLock {
        let words = "simulated" + (purpose.map { " \($0)" } ?? "")
        try perform("lock", path, { .lock($0) }) { _, _ throws(Failure) in }
        let holder: String? = state.withLock { state in
            if let holder = state.locks[path] { return holder }
            state.locks[path] = words
            return nil
        }
        if let holder { throw .alreadyOpen(holder: holder) }
        return SimulatedLock(self, path)
    }
}

extension SimulatedFileSystem {
    /// The errors of the simulation itself.
    enum Failure: Int32, Error {
        case missing = 2
        case input = 5
        case exists = 17
        case invalid = 22
        case full = 28
    }

    /// Logs a call, then fails it if there is a fault for it, or performs it.
    func perform<Result: Sendable>(
        _ call: String, _ path: String, _ operation: (String) -> SimulatedOperation,
        _ body: (inout SimulatedDisk, String) throws(Failure) -> Result,
        failed: (inout SimulatedDisk, String) -> Void = { _, _ in }
    ) throws(PersistencyError) -> Result {
        let path = SimulatedDisk.normal(path)
        return try perform(call, path, operation(path)) { state, fault throws(Failure) in
            guard case .error? = fault else { return try body(&state.disk, path) }
            failed(&state.disk, path)
            return nil
        }
    }

    /// - Parameter body: Receives the fault; may return `nil` only for an error.
    func perform<Result: Sendable>(
        _ call: String, _ path: String, _ operation: SimulatedOperation,
        _ body: (inout State, SimulatedFault?) throws(Failure) -> Result?
    ) throws(PersistencyError) -> Result {
        let (result, number): (Result?, Int32) = state.withLock { state in
            let fault = state.fault?(state.operations.count, operation)
            state.operations.append(operation)
            defer { if state.keepsHistory { state.history.append(state.disk) } }
            do throws(Failure) {
                let result = try body(&state, fault)
                if case .error(let number)? = fault { return (nil, number) }
                return (result, Failure.input.rawValue)
            } catch {
                return (nil, error.rawValue)
            }
        }
        guard let result else { throw .system(call, path, number: number) }
        return result
    }
}

/// A lock that is released with its holder, unless the process was killed before.
private final class SimulatedLock: FileLock {
    private let fileSystem: SimulatedFileSystem
    private let path: String

    init(_ fileSystem: SimulatedFileSystem, _ path: String) {
        self.fileSystem = fileSystem
        self.path = path
    }

    deinit {
        fileSystem.state.withLock { state in _ = state.locks.removeValue(forKey: path) }
    }
}

extension FileSystem {
    func openForReading(_ path: String) throws(PersistencyError) -> any OpenFile { try open(path) }

    func lockForReading(_ path: String) throws(PersistencyError) -> (any FileLock)? {
        try status(path) == nil ? nil : lock(path, purpose: nil)
    }
}
