internal import LarderData
internal import LarderDomain
internal import Synchronization

/// Publishes the commits of another process, by polling its journal.
///
/// An empty poll reads two rows of a table, some 20 microseconds. SQLite has no notification of other processes.
final class SQLiteFollower: Sendable {
    private static let interval: Duration = .milliseconds(20)
    private static let pageSize = 256
    private let pool: SQLiteReaderPool
    private let hub: ChangeHub
    private let scans: ScanThreads
    /// Held during a poll, so that polls publish in order.
    private let polling = Mutex(())
    private let isRunning = Atomic(false)

    init(_ pool: SQLiteReaderPool, _ hub: ChangeHub, _ scans: ScanThreads) {
        (self.pool, self.hub, self.scans) = (pool, hub, scans)
    }

    /// Polls as long as there are observers.
    func start() {
        guard !isRunning.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task { [weak self] in
            while let self, self.hub.hasObservers {
                await self.poll()
                try? await Task.sleep(for: Self.interval)
            }
            self?.isRunning.store(false, ordering: .releasing)
            // An observer may have arrived in the meantime.
            if self?.hub.hasObservers == true { self?.start() }
        }
    }

    /// Publishes the commits since the last poll. If the journal is gone or of another lifetime, ends all streams.
    func poll() async {
        // A busy database is polled again.
        _ = try? await scans.run(isShort: true) { [self] _ throws(PersistencyError) in
            try polling.withLock { _ throws(PersistencyError) in
                var isDone = false
                while !isDone { isDone = try pool.read(publishPage) }
            }
        }
    }

    /// Returns whether all commits are published.
    private func publishPage(_ connection: SQLiteConnection) throws(PersistencyError) -> Bool {
        let position = hub.position
        let page = try SQLiteJournal(connection: connection).page(after: position, limit: Self.pageSize)
        guard page.lifetime == hub.lifetime else {
            hub.close()
            return true
        }
        for commit in page.commits { hub.publish(commit) }
        if page.newest > hub.position { hub.advance(to: page.newest) }
        return page.newest < position + Int64(Self.pageSize)
    }
}
