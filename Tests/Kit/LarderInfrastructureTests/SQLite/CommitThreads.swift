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

/// A thread of the system.
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

/// The threads on which a connection commits, as SQLite itself sees them: what the store counts is not asked.
final class CommitThreads: Sendable {
    private let threads = Mutex<[ThreadID]>([])

    /// One for each commit.
    var seen: [ThreadID] { threads.withLock { $0 } }

    /// - Note: Must live as long as the connection commits.
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
