import Dispatch
import Synchronization
import Testing

@testable import LarderHTTP

@Suite("Request threads")
struct RequestThreadsTests {
    @Test(arguments: ["/blocking", "/blocking-body"])
    func `requests that occupy all their threads delay no health check`(path: String) async throws {
        try await TestServer.run { server in
            let (routes, count) = (server.routes, server.routes.threads.count)
            let requests = 2 * count
            try await withThrowingTaskGroup { group in
                for _ in 0..<requests {
                    group.addTask {
                        let outcome = await RawConnection.exchange(
                            server.port, "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                        #expect(outcome.statuses == [200] && outcome.text.contains("free"), "\(outcome.text)")
                    }
                }
                try await until { routes.blockade.count == count }
                for _ in 0..<3 {
                    let health = await RawConnection.exchange(server.port, "GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(health.statuses == [200])
                }
                #expect(routes.blockade.count == count)
                routes.blockade.release(requests)
                try await group.waitForAll()
            }
        }
    }

    @Test func `a service handles its routes on these threads`() async throws {
        try await ReadersService.run { service in
            let answer = try await service.get("/v1/executor")
            #expect(answer.body == "request threads")
        }
    }

    @Test func `long work suspends after 16 KiB, also of many small parts`() async {
        for (parts, bytes, turns) in [(16, 64 << 10, 16), (1 << 10, 1, 16), (1 << 10, 1 << 10, 64), (63, 100, 0)] {
            let executor = CountingExecutor()
            let jobs = await withTaskExecutorPreference(executor) {
                await CountingExecutor.started()
                let before = executor.jobs
                var pace = WorkPace()
                for _ in 0..<parts { await pace.finished(bytes) }
                return executor.jobs - before
            }
            // A suspension takes one job or two.
            #expect((turns...2 * turns).contains(jobs), "\(parts) parts of \(bytes) bytes: \(jobs)")
        }
    }
}

/// Runs jobs in order, and counts them.
final class CountingExecutor: TaskExecutor {
    private let count = Atomic(0)
    private let queue = DispatchQueue(label: "test")

    var jobs: Int { count.load(ordering: .relaxed) }

    /// Continues on the executor.
    @concurrent static func started() async {}

    func enqueue(_ job: consuming ExecutorJob) {
        count.add(1, ordering: .relaxed)
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
