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
    private let isShared: Bool

    /// Takes the lock without waiting. Does not follow a symbolic link, because its target would be truncated.
    ///
    /// - Parameter purpose: The purpose of the lock, for the description of the holder.
    /// - Throws: `alreadyOpen` with the holder.
    init(_ path: String, purpose: String? = nil) throws(PersistencyError) {
        // Must not throw after this line: `deinit` would run on a descriptor that may name another file by then.
        descriptor = try Self.locked(path, O_RDWR | O_CREAT, LOCK_EX)
        isShared = false
        ftruncate(descriptor, 0)
        let holder = Array((Self.holder + (purpose.map { " \($0)" } ?? "")).utf8)
        // The text is informational, so a failed write is ignored.
        _ = unsafe pwrite(descriptor, holder, holder.count, 0)
    }

    /// Takes the lock of an existing file together with other readers, without waiting and without changing the file.
    ///
    /// - Throws: `alreadyOpen` with the process that writes.
    init(reading path: String) throws(PersistencyError) {
        descriptor = try Self.locked(path, O_RDONLY, LOCK_SH)
        isShared = true
    }

    deinit {
        if !isShared { ftruncate(descriptor, 0) }
        // Closing is not enough: a child process has the descriptor too, between `fork` and `exec`.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func locked(_ path: String, _ flags: Int32, _ kind: Int32) throws(PersistencyError) -> Int32 {
        let descriptor = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system("open", path) }
        while flock(descriptor, kind | LOCK_NB) != 0 {
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
        LockHolder.words(pid: LockHolder.ownProcess, program: CommandLine.arguments.first ?? "unknown")
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

/// The process that holds the lock of a lock file.
///
/// A holder takes the lock first and then writes its description into the file, which a full device prevents. Until
/// then the file may describe an earlier holder that was killed. So the description counts only if the system confirms
/// it: on Linux by `/proc/locks`, elsewhere by the existence of the process.
struct LockHolder: CustomStringConvertible {
    let description: String

    /// Identifies the holder of the lock on an open file.
    init(_ descriptor: Int32) {
        let words = Self.text(descriptor)
        let named = Self.pid(in: words)
        let actual = Self.lockingProcesses(descriptor)
        if let named, actual.isEmpty ? Self.exists(named) : actual.contains(named) {
            description = words
        } else if let pid = actual.first {
            description = Self.words(pid: pid, program: SystemLocks.program(of: pid) ?? "unknown")
        } else {
            description = "an unknown process"
        }
    }

    static var ownProcess: Int32 { getpid() }

    /// The description of a holder on this host: `pid 7 host h program loans`.
    static func words(pid: Int32, program: String) -> String {
        var name = [CChar](repeating: 0, count: 256)
        unsafe gethostname(&name, name.count - 1)
        let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return "pid \(pid) host \(host) program \(program)"
    }

    private static func pid(in words: String) -> Int32? {
        let parts = words.split(separator: " ", maxSplits: 2)
        return parts.count > 1 && parts[0] == "pid" ? Int32(parts[1]) : nil
    }

    private static func exists(_ pid: Int32) -> Bool { pid > 0 && (kill(pid, 0) == 0 || errno == EPERM) }

    private static func text(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : ""
    }

    /// The processes with a lock on the same file, as the system lists them; empty if it has no list.
    private static func lockingProcesses(_ descriptor: Int32) -> [Int32] {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return [] }
        return SystemLocks.processes("FLOCK", inode: UInt64(status.st_ino))
    }
}
