#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Simulates a process that recovers the log, as other processes see it, for as long as a test needs.
///
/// After a crash during a commit, the index of the log is inconsistent. The first process to notice locks the whole log
/// and rebuilds the index. All others have to wait, readers too. It is the only lock that blocks a reader.
struct LogRecovery: ~Copyable {
    /// The offset and the number of the index's lock bytes: writing, checkpointing, recovering, five for readers.
    private static let (firstLock, locks): (off_t, off_t) = (120, 8)
    /// Both copies of the index's header.
    private static let headerBytes = 96

    struct Failure: Error { let code: Int32 }

    private let descriptor: Int32
    private let header: [UInt8]

    /// Starts the recovery. No other part of this process may have the database open, because such locks belong to a
    /// process.
    init(_ path: String) throws(Failure) {
        descriptor = unsafe open(path + "-shm", O_RDWR)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (Self.firstLock, Self.locks)
        guard unsafe fcntl(descriptor, F_SETLK, &lock) == 0 else { throw Failure(code: errno) }
        var header = [UInt8](repeating: 0, count: Self.headerBytes)
        unsafe pread(descriptor, &header, Self.headerBytes, 0)
        self.header = header
        let nonsense = (0..<Self.headerBytes).map { UInt8($0) }
        unsafe pwrite(descriptor, nonsense, Self.headerBytes, 0)
    }

    /// Ends the recovery: the index is consistent again, and all locks are released.
    consuming func end() {
        unsafe pwrite(descriptor, header, Self.headerBytes, 0)
        close(descriptor)
    }
}
