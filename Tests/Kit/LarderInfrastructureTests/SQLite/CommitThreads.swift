import CLarderSQLite
import Synchronization

@testable import LarderInfrastructure

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An operating system thread.
struct ThreadID: Hashable, Sendable {
    private let number: UInt

    static var current: ThreadID {
        #if canImport(Darwin)
        ThreadID(number: UInt(bitPattern: pthread_self()))
        #else
        ThreadID(number: UInt(pthread_self()))
        #endif
    }
}

/// The threads on which a connection commits, as SQLite sees them, independent of the store's own counters.
final class CommitThreads: Sendable {
    private let threads = Mutex<[ThreadID]>([])

    /// One entry per commit.
    var seen: [ThreadID] { threads.withLock { $0 } }

    /// - Note: Must outlive the connection's commits.
    func watch(_ connection: SQLiteConnection) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_commit_hook(
            connection.handle,
            { context in
                guard let context = unsafe context else { return 0 }
                let watcher = unsafe Unmanaged<CommitThreads>.fromOpaque(context).takeUnretainedValue()
                watcher.threads.withLock { $0.append(.current) }
                return 0
            }, context)
    }
}
