public import LarderData
internal import LarderDomain
internal import Synchronization

extension SQLiteStore: LogKeepingStore {
    /// The size of the write-ahead log after the last commit; `nil` for a store that does not write to a file.
    public nonisolated var logBytes: Int? {
        guard let writeAccess, let pageBytes = writeAccess.pageBytes else { return nil }
        return writeAccess.writer.pagesInLog * pageBytes
    }

    /// Whether reads have prevented a restart of the log, which has more than 32 MB.
    public nonisolated var isLogBlocked: Bool { writeAccess?.writer.isLogBlocked ?? false }

    /// Waits until the reads have ended that keep the log too long, and it has restarted.
    ///
    /// - Throws: `cancelled`, or `unavailable` (`busy`) with these reads after the busy timeout.
    nonisolated func waitForLog(_ access: SQLiteWriteAccess) async throws(PersistencyError) {
        let end = ContinuousClock.now.advanced(by: configuration.busyTimeout)
        access.writer.waiting.add(1, ordering: .relaxed)
        defer { access.writer.waiting.subtract(1, ordering: .relaxed) }
        while access.writer.isLogTooLong {
            if Task.isCancelled { throw .cancelled }
            access.writer.restartLog(on: access.thread, scans)
            // Ends at once if the task is cancelled.
            try? await Task.sleep(for: .milliseconds(20))
            guard access.writer.isLogTooLong, .now >= end else { continue }
            // The last attempt may be copying the log.
            await access.thread.run {}
            guard access.writer.isLogTooLong, let blockage = access.writer.blockage() else { return }
            throw .blocked(blockage)
        }
    }
}
