internal import LarderDomain

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// Excludes a second writer, in this process or another. Two writers of one log would tear it, and two that write or
/// checkpoint can damage a database (the "WAL-reset bug" of SQLite 3.7.0 to 3.51.2).
///
/// The lock is a system lock, so it always ends with the process; the text in the file is informational. The file is
/// never removed, because another process may just have locked it.
final class LockFile: Sendable {
    private let descriptor: Int32

    /// Takes the lock without waiting. Does not follow a symbolic link, because its target would be truncated.
    ///
    /// - Parameter purpose: The purpose of the lock, for the description of the holder.
    /// - Throws: `alreadyOpen` with the holder.
    init(_ path: String, purpose: String? = nil) throws(PersistencyError) {
        // Must not throw after this line: `deinit` would run on a descriptor that may name another file by then.
        descriptor = try Self.locked(path)
        ftruncate(descriptor, 0)
        let holder = Array((Self.holder + (purpose.map { " \($0)" } ?? "")).utf8)
        // The text is informational, so a failed write is ignored.
        _ = unsafe pwrite(descriptor, holder, holder.count, 0)
    }

    deinit {
        ftruncate(descriptor, 0)
        // Closing is not enough: a child process has the descriptor too, between `fork` and `exec`.
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
    /// Retries until an attempt succeeds or the timeout has passed. Blocks its thread. Throws the error of the last
    /// attempt; does not retry errors other than a conflict with another process.
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
