internal import LarderDomain

/// The file operations of a file store. A simulated file system tests power failures.
///
/// Written bytes are durable after a sync of the file; created, renamed and removed names after a sync of the folder.
protocol FileSystem: Sendable {
    /// The status of a path; `nil` if it does not exist. Follows a symbolic link only if the path ends in a slash.
    func status(_ path: String) throws(PersistencyError) -> FileStatus?

    func makeFolder(_ path: String) throws(PersistencyError)

    /// Creates an empty file with access for its owner only. Fails if the path exists.
    func create(_ path: String) throws(PersistencyError) -> any OpenFile

    /// Opens a regular file. Fails for links and folders; for anything else, ``OpenFile/size()`` fails.
    func open(_ path: String) throws(PersistencyError) -> any OpenFile

    /// Opens a regular file as ``open(_:)`` does, but only for reading, which a read-only file system permits.
    func openForReading(_ path: String) throws(PersistencyError) -> any OpenFile

    /// Renames a file. Replaces an existing file with the new name.
    func rename(_ path: String, to new: String) throws(PersistencyError)

    func remove(_ path: String) throws(PersistencyError)

    /// Returns when the names in a folder are on the device.
    func syncFolder(_ path: String) throws(PersistencyError)

    /// Takes a lock without waiting. The lock ends when the result is freed, or with the process. Throws `alreadyOpen`
    /// with a description of the holder.
    func lock(_ path: String, purpose: String?) throws(PersistencyError) -> any FileLock

    /// Takes a lock that permits other readers, without changing its file. Returns `nil` if there is none.
    func lockForReading(_ path: String) throws(PersistencyError) -> (any FileLock)?
}

/// An open file, which is closed when it is freed.
protocol OpenFile: AnyObject, Sendable {
    func size() throws(PersistencyError) -> Int

    /// Reads bytes from an offset; returns fewer at the end of the file.
    func read(_ count: Int, at offset: Int) throws(PersistencyError) -> [UInt8]

    /// Writes at an offset. Returns the number of written bytes, which is smaller if the device is full.
    func write(_ bytes: [UInt8], at offset: Int) throws(PersistencyError) -> Int

    func truncate(to length: Int) throws(PersistencyError)

    /// Returns when the written bytes are on the device. After a failure the state of the device is unknown, and a
    /// retry may report success although data is lost.
    func sync() throws(PersistencyError)
}

/// A lock that is held until this object is freed.
protocol FileLock: AnyObject, Sendable {}

/// Identifies a file on this machine independently of its path.
struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
}

struct FileStatus: Sendable, Equatable {
    /// Whether it is a regular file.
    let isFile: Bool
    let size: Int
    /// `nil` where the identity is not needed.
    var identity: FileIdentity?
    /// The number of names of a file.
    var names = 1

    /// Rejects a file with several names: each name would have another lock.
    func checkNames(_ path: String) throws(PersistencyError) {
        guard names > 1 else { return }
        throw .failed(
            "\(path) has \(names) names (hard links), each with a lock, so several processes could write to it. It was "
                + "not changed. Remove the other names, or use a copy of the file")
    }
}

extension OpenFile {
    /// Writes all bytes or fails, possibly after a part of them. A short write means that the device is full.
    func writeAll(_ bytes: [UInt8], at offset: Int, path: String) throws(PersistencyError) {
        if try write(bytes, at: offset) < bytes.count { throw .system("write", path, number: SystemError.full) }
    }

    /// Copies a range of bytes to a new file, and returns when they are on the device. Removes an existing file.
    func copy(_ range: Range<Int>, to path: String, _ fileSystem: some FileSystem) throws(PersistencyError) {
        try fileSystem.removeIfThere(path)
        let copy = try fileSystem.create(path)
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
            let bytes = try read(min(1 << 20, range.upperBound - start), at: start)
            try copy.writeAll(bytes, at: start - range.lowerBound, path: path)
        }
        try copy.sync()
    }
}

extension FileSystem {
    func removeIfThere(_ path: String) throws(PersistencyError) { if try status(path) != nil { try remove(path) } }

    /// Throws `unavailable` if the path exists, unless it is that of a regular file that may be replaced.
    func checkTarget(_ path: String, replacing: Bool) throws(PersistencyError) {
        guard let found = try status(path), !replacing || !found.isFile else { return }
        throw .failed("\(path) exists already")
    }

    /// Creates a folder and its missing parents durably. Syncs existing folders too, because their creator may have
    /// died before its sync; a refused sync of an existing folder is ignored.
    func makeFolders(_ path: String) throws(PersistencyError) {
        var above = path.hasPrefix("/") ? "/" : "./"
        for name in path.split(separator: "/") {
            let next = above == "./" ? name + "/" : above + name + "/"
            let isThere = try status(next) != nil
            if !isThere {
                do throws(PersistencyError) {
                    try makeFolder(next)
                } catch {
                    // Another opener may have been faster.
                    guard try status(next) != nil else { throw error }
                }
            }
            do throws(PersistencyError) {
                try syncFolder(above)
            } catch {
                guard isThere, error.isRefusal else { throw error }
            }
            above = next
        }
    }
}
