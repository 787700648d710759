#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What other processes see of one that recovers the log, for as long as a test wants.
///
/// After a crash in the middle of a commit the index of the log does not agree with itself. Whoever finds it so locks all
/// of the log and reads it anew; everybody else has to wait, readers too. It is the one lock that stops a reader.
struct LogRecovery: ~Copyable {
    /// The first of the bytes of the index that stand for locks, and how many there are: writing, checkpointing,
    /// recovering, five for readers.
    private static let (firstLock, locks): (off_t, off_t) = (120, 8)
    /// Two copies of the index's header.
    private static let headerBytes = 96

    struct Failure: Error { let code: Int32 }

    private let descriptor: Int32
    private let header: [UInt8]

    /// Begins. For a process that has the database open nowhere else: the system keeps such locks for a process.
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

    /// Ends: the index agrees with itself again, and nothing is locked.
    consuming func end() {
        unsafe pwrite(descriptor, header, Self.headerBytes, 0)
        close(descriptor)
    }
}
