public import LarderData
internal import LarderDomain
internal import Synchronization

extension SQLiteStore: LogKeepingStore {
    /// The size of the write-ahead log after the last commit; `nil` for a store that does not write to a file.
    public nonisolated var logBytes: Int? {
        guard let writer, let pageBytes = writer.pageBytes else { return nil }
        return writer.pagesInLog * pageBytes
    }

    /// Whether reads have prevented a restart of the log, which has more than 32 MB.
    public nonisolated var isLogBlocked: Bool { writer?.isLogBlocked ?? false }
}

extension SQLiteWriter {
    /// Waits until the reads have ended that keep the log too long, and it has restarted.
    ///
    /// - Throws: `cancelled`, or `unavailable` (`busy`) with these reads after the busy timeout.
    func waitForRestart() async throws(PersistencyError) {
        let end = ContinuousClock.now.advanced(by: opening.configuration.busyTimeout)
        waiting.add(1, ordering: .relaxed)
        defer { waiting.subtract(1, ordering: .relaxed) }
        while isLogTooLong {
            if Task.isCancelled { throw .cancelled }
            restartLog()
            // Ends at once if the task is cancelled.
            try? await Task.sleep(for: .milliseconds(20))
            guard isLogTooLong, .now >= end else { continue }
            // The last attempt may be copying the log.
            await thread.run {}
            guard isLogTooLong, let blockage = blockage() else { return }
            throw .blocked(blockage)
        }
    }
}
