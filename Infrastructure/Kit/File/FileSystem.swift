internal import LarderDomain

/// What a store of files asks of a file system; a simulated one shows what it does about power that fails.
///
/// What is written to a file lasts once the file was synced; what is made, renamed or removed, once the folder was.
protocol FileSystem: Sendable {
    /// What stands at a path, a symbolic link itself unless the path ends in a slash; `nil` for nothing.
    func status(_ path: String) throws(PersistencyError) -> FileStatus?

    func makeFolder(_ path: String) throws(PersistencyError)

    /// Makes an empty file for its owner alone, where nothing may stand.
    func create(_ path: String) throws(PersistencyError) -> any OpenFile

    /// Opens what must be a regular file: no link, no folder, and of nothing else is a size told.
    func open(_ path: String) throws(PersistencyError) -> any OpenFile

    /// Gives a file another name, and so takes the name from whichever file had it.
    func rename(_ path: String, to new: String) throws(PersistencyError)

    func remove(_ path: String) throws(PersistencyError)

    /// Returns when the names in a folder are on the device.
    func syncFolder(_ path: String) throws(PersistencyError)

    /// Takes a lock, or does not wait for it; it ends when the answer is freed, and with the process. Throws
    /// `alreadyOpen` with the holder's words.
    func lock(_ path: String, purpose: String?) throws(PersistencyError) -> any FileLock
}

/// A file that is open, and closed when it is freed.
protocol OpenFile: AnyObject, Sendable {
    func size() throws(PersistencyError) -> Int

    /// The bytes from an offset, fewer where the file ends.
    func read(_ count: Int, at offset: Int) throws(PersistencyError) -> [UInt8]

    /// Writes at an offset. Returns how many bytes were written; fewer than there are where no more have room.
    func write(_ bytes: [UInt8], at offset: Int) throws(PersistencyError) -> Int

    /// Cuts what stands beyond a length.
    func truncate(to length: Int) throws(PersistencyError)

    /// Returns when what was written is on the device. After a failure nobody knows what is, and a second try may say
    /// that all is well when it is not.
    func sync() throws(PersistencyError)
}

/// A lock that is held as long as this lives.
protocol FileLock: AnyObject, Sendable {}

/// What tells one file from every other on this machine, whatever its name: its device and inode.
struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
}

struct FileStatus: Sendable, Equatable {
    enum Kind: Sendable {
        case file, folder, other
    }

    let kind: Kind
    let size: Int
    /// What tells it from every other file; `nil` where that does not matter.
    var identity: FileIdentity?
}

extension OpenFile {
    /// Writes all bytes or fails, and then some may stand there. What is short has no room.
    func writeAll(_ bytes: [UInt8], at offset: Int, path: String) throws(PersistencyError) {
        if try write(bytes, at: offset) < bytes.count { throw .system("write", path, number: SystemError.full) }
    }
}

extension OpenFile {
    /// Copies a range of bytes to a new file, and returns when they are on the device. A file in its place is removed.
    func copy(_ range: Range<Int>, to path: String, _ fileSystem: some FileSystem) throws(PersistencyError) {
        if try fileSystem.status(path) != nil { try fileSystem.remove(path) }
        let copy = try fileSystem.create(path)
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
            let bytes = try read(min(1 << 20, range.upperBound - start), at: start)
            try copy.writeAll(bytes, at: start - range.lowerBound, path: path)
        }
        try copy.sync()
    }
}

extension FileSystem {
    /// Makes a folder, and those above it, where they are missing; all of them for good, because whoever made one may
    /// have died before it was. Those that others made need not be ours to sync.
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
