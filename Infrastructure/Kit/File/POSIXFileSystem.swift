package import LarderDomain

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

struct POSIXFileSystem: FileSystem {
    func status(_ path: String) throws(PersistencyError) -> FileStatus? {
        var found = stat()
        if unsafe lstat(path, &found) != 0 {
            guard errno == ENOENT else { throw .system("lstat", path) }
            return nil
        }
        let isFile = found.st_mode & S_IFMT == S_IFREG
        let identity = FileIdentity(device: UInt64(found.st_dev), inode: UInt64(found.st_ino))
        return FileStatus(
            isFile: isFile, size: Int(found.st_size), identity: identity, names: isFile ? Int(found.st_nlink) : 1)
    }

    func makeFolder(_ path: String) throws(PersistencyError) {
        try SystemError.check("mkdir", path) { unsafe mkdir(path, 0o700) }
    }

    func create(_ path: String) throws(PersistencyError) -> any OpenFile {
        try POSIXFile(path, flags: O_CREAT | O_EXCL)
    }

    func open(_ path: String) throws(PersistencyError) -> any OpenFile {
        // Nonblocking, because opening a pipe would wait for its other end.
        try POSIXFile(path, flags: O_NONBLOCK)
    }

    func openForReading(_ path: String) throws(PersistencyError) -> any OpenFile { try POSIXFile(reading: path) }

    func rename(_ path: String, to new: String) throws(PersistencyError) {
        // Not `rename`, which is this method's name.
        try SystemError.check("rename", path) { unsafe renameat(AT_FDCWD, path, AT_FDCWD, new) }
    }

    func remove(_ path: String) throws(PersistencyError) {
        try SystemError.check("unlink", path) { unsafe unlink(path) }
    }

    func syncFolder(_ path: String) throws(PersistencyError) {
        try POSIXFile(path, access: O_RDONLY, flags: O_DIRECTORY).syncNames()
    }

    func lock(_ path: String, purpose: String?) throws(PersistencyError) -> any FileLock {
        try LockFile(path, purpose: purpose)
    }

    func lockForReading(_ path: String) throws(PersistencyError) -> (any FileLock)? {
        try status(path) == nil ? nil : LockFile(reading: path)
    }
}

/// Databases, whose files SQLite opens.
extension POSIXFileSystem {
    /// The size of a file in bytes; `nil` if it does not exist. Follows links.
    func size(_ path: String) -> Int? {
        var found = stat()
        return unsafe stat(path, &found) == 0 ? Int(found.st_size) : nil
    }

    /// The inode, size and modification time of a file, to detect changes.
    func stamp(_ path: String) -> [Int] {
        var found = stat()
        guard unsafe stat(path, &found) == 0 else { return [-1] }
        let time = found.modified
        return [Int(found.st_ino), Int(found.st_size), Int(time.tv_sec), Int(time.tv_nsec)]
    }

    /// The absolute path without symbolic links.
    ///
    /// - Parameter links: The maximum number of dangling links to follow. The database is created at the last target.
    func resolved(_ path: String, links: Int = 40) -> String {
        if let real = realPath(path) { return real }
        let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let folder = nameStart == path.startIndex ? "./" : String(path[..<nameStart])
        if links > 0, let target = linkTarget(path) {
            return resolved(target.hasPrefix("/") ? target : folder + target, links: links - 1)
        }
        return realPath(folder).map { ($0 == "/" ? "" : $0) + "/" + path[nameStart...] } ?? path
    }

    private func linkTarget(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    private func realPath(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}

extension LockFile: FileLock {}

package final class POSIXFile: OpenFile {
    let descriptor: Int32
    private let path: String

    /// Opens a file, without following a symbolic link. A created file is accessible to its owner only.
    init(_ path: String, access: Int32 = O_RDWR, flags: Int32) throws(PersistencyError) {
        self.path = path
        descriptor = try SystemError.check("open", path) {
            unsafe open(path, access | flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
    }

    /// Opens a file of any owner for reading. Nonblocking, because opening a pipe would wait for its other end.
    convenience init(reading path: String) throws(PersistencyError) {
        try self.init(path, access: O_RDONLY, flags: O_NONBLOCK)
    }

    /// Creates a private file without a name: its space is freed when it is closed, however the process ends.
    ///
    /// - Parameter path: A path that names nothing yet; a file or a link there is an error.
    package convenience init(temporary path: String) throws(PersistencyError) {
        try self.init(path, flags: O_CREAT | O_EXCL)
        try POSIXFileSystem().remove(path)
    }

    deinit {
        close(descriptor)
    }

    package func size() throws(PersistencyError) -> Int {
        var found = stat()
        try SystemError.check("fstat", path) { unsafe fstat(descriptor, &found) }
        guard found.st_mode & S_IFMT == S_IFREG else { throw .system("open", path, number: EINVAL) }
        return Int(found.st_size)
    }

    var inode: UInt64? {
        var found = stat()
        return unsafe fstat(descriptor, &found) == 0 ? UInt64(found.st_ino) : nil
    }

    package func read(_ count: Int, at offset: Int) throws(PersistencyError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = try SystemError.check("read", path) {
                unsafe bytes.withUnsafeMutableBytes { buffer in
                    unsafe pread(
                        descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).baseAddress,
                        count - filled, off_t(offset + filled))
                }
            }
            if more == 0 { break }
            filled += more
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    package func write(_ bytes: [UInt8], at offset: Int) throws(PersistencyError) -> Int {
        try SystemError.check("write", path) { unsafe pwrite(descriptor, bytes, bytes.count, off_t(offset)) }
    }

    package func truncate(to length: Int) throws(PersistencyError) {
        try SystemError.check("truncate", path) { ftruncate(descriptor, off_t(length)) }
    }

    package func sync() throws(PersistencyError) {
        // No retry, not even after an interruption: see `OpenFile.sync`.
        #if os(Linux)
        if fdatasync(descriptor) != 0 { throw .system("sync", path) }
        #else
        if fcntl(descriptor, F_FULLFSYNC) != 0 { throw .system("sync", path) }
        #endif
    }

    /// Writes all bytes or fails, possibly after a part of them.
    package func writeAll(_ bytes: [UInt8], at offset: Int) throws(PersistencyError) {
        try writeAll(bytes, at: offset, path: path)
    }

    /// Syncs a folder, as ``sync()`` does a file.
    func syncNames() throws(PersistencyError) {
        if fsync(descriptor) != 0 { throw .system("sync", path) }
    }
}

extension stat {
    /// The modification time, whose member has another name on Apple's systems.
    fileprivate var modified: timespec {
        #if canImport(Darwin)
        st_mtimespec
        #else
        st_mtim
        #endif
    }
}
