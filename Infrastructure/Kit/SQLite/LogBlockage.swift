internal import LarderDomain

/// Reads that keep a write-ahead log from restarting, so that it grows.
public struct LogBlockage: Sendable, Hashable {
    /// The path of the log.
    public let log: String
    /// The size of the log in bytes.
    public let bytes: Int
    /// The other processes that read; empty if they are unknown.
    public let processes: [Int32]
    /// A description of the reads.
    public let readers: String

    /// The bytes of the index that readers lock while they use the log. Byte 123 is for readers that do not use it.
    private static let marks = 124...127

    init(_ files: SQLiteFiles, bytes: Int) {
        (log, self.bytes) = (files.logPath, bytes)
        // The index must not be opened: closing it would release SQLite's locks.
        let inode = (try? POSIXFileSystem().status(files.indexPath))??.identity?.inode
        let all = Set(inode.map { SystemLocks.processes("POSIX", inode: $0, bytes: Self.marks) } ?? [])
        processes = all.filter { $0 != LockHolder.ownProcess }.sorted()
        var words = processes.map { pid in
            "process \(pid)" + (SystemLocks.program(of: pid).map { " (\($0))" } ?? "")
                + (SystemLocks.isStopped(pid) ? ", which is stopped" : "")
        }
        if all.contains(LockHolder.ownProcess) { words.append("this process") }
        readers = words.isEmpty ? "a process" : words.joined(separator: ", and ")
    }
}

extension LogBlockage: CustomStringConvertible {
    /// One sentence for the operator.
    public var description: String { "\(log) has \(bytes >> 20) MB, and cannot restart while \(readers) reads" }
}

extension PersistencyError {
    static func blocked(_ blockage: LogBlockage) -> PersistencyError {
        .unavailable(
            Unavailable(.busy, "\(blockage). Changes are refused until that read ends; end it, or its process"))
    }
}
