internal import LarderDomain

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
        let kind: FileStatus.Kind =
            switch found.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        let identity = FileIdentity(device: UInt64(found.st_dev), inode: UInt64(found.st_ino))
        return FileStatus(kind: kind, size: Int(found.st_size), identity: identity)
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
}

extension LockFile: FileLock {}
