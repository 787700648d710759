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
    private let file: POSIXFile
    private let isShared: Bool

    /// Takes the lock without waiting. Does not follow a symbolic link, because its target would be truncated.
    ///
    /// - Parameter purpose: The purpose of the lock, for the description of the holder.
    /// - Throws: `alreadyOpen` with the holder.
    init(_ path: String, purpose: String? = nil) throws(PersistencyError) {
        file = try Self.locked(path, access: O_RDWR, flags: O_CREAT, LOCK_EX)
        isShared = false
        let program = CommandLine.arguments.first ?? "unknown"
        let holder = LockHolder.words(pid: LockHolder.ownProcess, program: program) + (purpose.map { " \($0)" } ?? "")
        // The text is informational, so a failed write is ignored.
        try? file.truncate(to: 0)
        try? file.writeAll(Array(holder.utf8), at: 0)
    }

    /// Takes the lock of an existing file together with other readers, without waiting and without changing the file.
    ///
    /// - Throws: `alreadyOpen` with the process that writes.
    init(reading path: String) throws(PersistencyError) {
        file = try Self.locked(path, access: O_RDONLY, flags: 0, LOCK_SH)
        isShared = true
    }

    deinit {
        if !isShared { try? file.truncate(to: 0) }
        // Closing is not enough: a child process has the descriptor too, between `fork` and `exec`.
        flock(file.descriptor, LOCK_UN)
    }

    private static func locked(
        _ path: String, access: Int32, flags: Int32, _ kind: Int32
    ) throws(PersistencyError) -> POSIXFile {
        let file = try POSIXFile(path, access: access, flags: flags)
        while flock(file.descriptor, kind | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            throw errno == EWOULDBLOCK ? .alreadyOpen(holder: LockHolder(file).description) : .system("lock", path)
        }
        return file
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
    init(_ file: POSIXFile) {
        let words = String(decoding: (try? file.read(1024, at: 0)) ?? [], as: UTF8.self)
        let named = Self.pid(in: words)
        let actual = file.inode.map { SystemLocks.processes("FLOCK", inode: $0) } ?? []
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
}
