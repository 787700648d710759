public import Logging
public import ServiceLifecycle

/// Deletes expired data at regular intervals, in small commits, until the program stops.
///
/// A failed purge is logged and repeated after the next interval: a full or locked store may recover.
public struct PurgeService: Service {
    /// The deletion of one kind of expired data.
    public struct Purge: Sendable {
        package let name: String
        private let deleteSome: @Sendable () async throws -> Int

        /// - Parameters:
        ///   - name: What is deleted, for the log: `tokens`.
        ///   - deleteSome: Deletes a bounded number of entities and returns this number, or 0 at the end.
        public init(_ name: String, _ deleteSome: @escaping @Sendable () async throws -> Int) {
            (self.name, self.deleteSome) = (name, deleteSome)
        }

        /// Deletes until there is nothing left, or the task is cancelled.
        ///
        /// - Returns: The number of deleted entities.
        package func deleteAll() async throws -> Int {
            var deleted = 0
            while !Task.isCancelled {
                let count = try await deleteSome()
                guard count > 0 else { break }
                deleted += count
            }
            return deleted
        }
    }

    private let purges: [Purge]
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let logger: Logger

    /// Makes a service that purges at its start and after each interval.
    public init(
        _ purges: [Purge], every interval: Duration = .seconds(300), clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        (self.purges, self.interval, self.clock, self.logger) = (purges, interval, clock, logger)
    }

    /// Runs until graceful shutdown or cancellation. Neither is an error.
    public func run() async throws {
        try await IntervalService(interval: interval, clock: clock) {
            for purge in purges where !Task.isCancelled { await perform(purge) }
        }.run()
    }

    private func perform(_ purge: Purge) async {
        do {
            let deleted = try await purge.deleteAll()
            if deleted > 0 { logger.debug("purged", metadata: ["what": "\(purge.name)", "count": "\(deleted)"]) }
        } catch {
            guard !Task.isCancelled else { return }
            logger.warning("purge failed", metadata: ["what": "\(purge.name)", "error": "\(error)"])
        }
    }
}
