internal import LarderDomain

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// A database's files, as far as they are not SQLite's business.
///
/// Nothing here opens a database that may be open already: closing it again would end SQLite's own locks, which the
/// system keeps for a process and not for a descriptor.
struct SQLiteFiles: Sendable {
    /// The path, absolute and without symbolic links, so that one database has one lock file.
    let path: String

    /// - Parameter makingFolder: Whether folders that are missing are made, for the owner alone.
    init(_ path: String, makingFolder: Bool = false) throws(PersistencyError) {
        guard !path.isEmpty, !path.utf8.contains(0), !path.hasSuffix("/") else {
            throw .unavailable(Unavailable(.failed, "the path of the database is empty, a folder or has a U+0000"))
        }
        if makingFolder, unsafe access(path, F_OK) != 0 { try Self.makeFolder(of: path) }
        self.path = Self.resolved(path)
    }

    var lockPath: String { path + ".lock" }
    var logPath: String { path + "-wal" }
    /// A database that is being made; it gets its name when it is complete.
    var draftPath: String { path + ".new" }
    /// The files that a store has open while it writes.
    var opened: [String] { [path, logPath, path + "-shm", lockPath] }

    /// - Parameter links: How many links without a target are followed; what is made at the end of them is the database.
    private static func resolved(_ path: String, links: Int = 40) -> String {
        if let real = realPath(path) { return real }
        let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let folder = nameStart == path.startIndex ? "./" : String(path[..<nameStart])
        if links > 0, let target = linkTarget(path) {
            return resolved(target.hasPrefix("/") ? target : folder + target, links: links - 1)
        }
        return realPath(folder).map { ($0 == "/" ? "" : $0) + "/" + path[nameStart...] } ?? path
    }

    private static func linkTarget(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}

extension SQLiteFiles {
    /// The files' sizes and times, as far as they tell a change.
    struct Stamp: Equatable {
        private let path: String
        private let parts: [Int]

        init(_ path: String) {
            self.path = path
            parts = ["", "-wal"].flatMap { suffix in
                var status = stat()
                guard unsafe stat(path + suffix, &status) == 0 else { return [-1] }
                return [
                    Int(status.st_ino), Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec),
                ]
            }
        }

        var now: Stamp { Stamp(path) }
    }

    var exists: Bool { unsafe access(path, F_OK) == 0 }

    /// Bytes of the file; `nil` where none is.
    var size: Int? { Self.size(path) }

    var hasLockFile: Bool { unsafe access(lockPath, F_OK) == 0 }

    /// Whether commits may stand in the log that are not in the database yet.
    var hasLog: Bool { (Self.size(logPath) ?? 0) > 0 }

    private static func size(_ path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// The file's name for SQLite with the promise that nobody changes it: SQLite then locks, recovers and makes nothing.
    var immutableName: String {
        let escaped = path.utf8.map { byte in
            let isPlain = byte > 0x20 && byte < 0x7F && !"%?#".utf8.contains(byte)
            return isPlain
                ? String(Unicode.Scalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return "file:" + escaped.joined() + "?immutable=1"
    }

    private static func makeFolder(of path: String) throws(PersistencyError) {
        guard let slash = path.lastIndex(of: "/") else { return }
        try POSIXFileSystem().makeFolders(String(path[...slash]))
    }
}
