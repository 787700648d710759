internal import LarderDomain

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// Keeps a second writer out, in this process or another. Two that wrote one log would tear it, and two that write or
/// checkpoint can damage a database (the "WAL-reset bug" of SQLite 3.7.0 to 3.51.2).
///
/// The lock is the system's, so that it ends with the process however that ends; the file's text is for people. The
/// file stays: whoever removed it could remove one that another process has just locked.
final class LockFile: Sendable {
    private let descriptor: Int32

    /// Takes the lock without waiting. A symbolic link is not followed: its target would be emptied.
    ///
    /// - Parameter purpose: What the lock is taken for, for the words.
    /// - Throws: `alreadyOpen` with the holder.
    init(_ path: String, purpose: String? = nil) throws(PersistencyError) {
        // Nothing may be thrown once this is set: `deinit` would run, on a number that is somebody else's file by then.
        descriptor = try Self.locked(path)
        ftruncate(descriptor, 0)
        let holder = Array((Self.holder + (purpose.map { " \($0)" } ?? "")).utf8)
        // What people read about the holder is not worth failing for.
        _ = unsafe pwrite(descriptor, holder, holder.count, 0)
    }

    deinit {
        ftruncate(descriptor, 0)
        // Closing is not enough: a process that is being started has the descriptor, too, until it runs its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func locked(_ path: String) throws(PersistencyError) -> Int32 {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system("open", path) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let error: PersistencyError =
                errno == EWOULDBLOCK
                ? .alreadyOpen(holder: LockHolder(descriptor).description) : .system("lock", path)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static var holder: String {
        LockHolder.words(pid: getpid(), program: CommandLine.arguments.first ?? "unknown")
    }
}

extension LockFile {
    /// Makes attempts until one succeeds or the timeout has passed. Blocks its thread. Throws what the last attempt
    /// threw; at once an error that means anything else than another process in the way.
    static func waiting<Result>(
        _ timeout: Duration, _ attempt: () throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        let end = ContinuousClock.now.advanced(by: timeout)
        while true {
            do throws(PersistencyError) {
                return try attempt()
            } catch {
                let isTaken = if case .alreadyOpen = error { true } else { error.isBusy }
                guard isTaken, .now < end else { throw error }
                usleep(5000)
            }
        }
    }
}
