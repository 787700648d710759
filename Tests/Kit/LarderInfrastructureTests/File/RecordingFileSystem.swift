import LarderDomain
import Synchronization

@testable import LarderInfrastructure

/// Forwards calls and records them in order, in the format of the simulation.
final class RecordingFileSystem: FileSystem {
    private let base: any FileSystem
    private struct Notes {
        var operations: [SimulatedOperation] = []
        /// The names of the opened files, by number.
        var names: [String] = []
    }

    private let notes = Mutex(Notes())

    init(_ base: any FileSystem) {
        self.base = base
    }

    var operations: [SimulatedOperation] { notes.withLock { $0.operations } }

    private func note(_ operation: SimulatedOperation) { notes.withLock { $0.operations.append(operation) } }

    /// Records a call to an open file.
    fileprivate func note(_ number: Int, _ operation: (String) -> SimulatedOperation) {
        notes.withLock { $0.operations.append(operation($0.names[number])) }
    }

    private func opened(_ file: any OpenFile, _ path: String) -> any OpenFile {
        notes.withLock { notes in
            notes.names.append(path)
            return RecordingFile(file, notes.names.count - 1, self)
        }
    }

    func status(_ path: String) throws(PersistencyError) -> FileStatus? {
        note(.status(path))
        return try base.status(path)
    }

    func makeFolder(_ path: String) throws(PersistencyError) {
        note(.makeFolder(path))
        try base.makeFolder(path)
    }

    func create(_ path: String) throws(PersistencyError) -> any OpenFile {
        note(.create(path))
        return opened(try base.create(path), path)
    }

    func open(_ path: String) throws(PersistencyError) -> any OpenFile {
        note(.open(path))
        return opened(try base.open(path), path)
    }

    func rename(_ path: String, to new: String) throws(PersistencyError) {
        note(.rename(path, to: new))
        try base.rename(path, to: new)
        notes.withLock { $0.names = $0.names.map { $0 == path ? new : $0 } }
    }

    func remove(_ path: String) throws(PersistencyError) {
        note(.remove(path))
        try base.remove(path)
    }

    func syncFolder(_ path: String) throws(PersistencyError) {
        note(.syncFolder(path))
        try base.syncFolder(path)
    }

    func lock(_ path: String, purpose: String?) throws(PersistencyError) -> any FileLock {
        note(.lock(path))
        return try base.lock(path, purpose: purpose)
    }
}

private final class RecordingFile: OpenFile {
    private let base: any OpenFile
    private let number: Int
    private let owner: RecordingFileSystem

    init(_ base: any OpenFile, _ number: Int, _ owner: RecordingFileSystem) {
        (self.base, self.number, self.owner) = (base, number, owner)
    }

    func size() throws(PersistencyError) -> Int {
        owner.note(number) { .size($0) }
        return try base.size()
    }

    func read(_ count: Int, at offset: Int) throws(PersistencyError) -> [UInt8] {
        owner.note(number) { .read($0, offset: offset, count: count) }
        return try base.read(count, at: offset)
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(PersistencyError) -> Int {
        owner.note(number) { .write($0, offset: offset, count: bytes.count) }
        return try base.write(bytes, at: offset)
    }

    func truncate(to length: Int) throws(PersistencyError) {
        owner.note(number) { .truncate($0, length: length) }
        try base.truncate(to: length)
    }

    func sync() throws(PersistencyError) {
        owner.note(number) { .sync($0) }
        try base.sync()
    }
}
