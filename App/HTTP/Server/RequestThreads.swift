internal import NIOCore
private import NIOPosix

/// The threads of the requests that read or change the store.
///
/// They are apart from those of Swift's cooperative pool, which serve connections and health checks: work that does not
/// suspend, such as parsing a large body, delays other requests, but no health check. The system divides the processors
/// between the threads.
public final class RequestThreads: TaskExecutor {
    /// The threads of this process, one for each core, at least two.
    public static let shared = RequestThreads(max(2, System.coreCount))

    /// The number of threads.
    public let count: Int
    private let pool: NIOThreadPool

    /// Starts threads, which end with the last reference.
    init(_ count: Int) {
        self.count = count
        pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
    }

    deinit { pool.shutdownGracefully { _ in } }

    /// Runs jobs in the order of their arrival, each on the first thread that is free.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.submit { _ in unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
