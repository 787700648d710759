import Dispatch
import HTTPTypes
import Hummingbird
import LarderHTTP
import LarderTesting
import NIOCore
import Synchronization
import Testing

@testable import CookbookApp

/// An import lets other requests run between its lines.
struct ImportPaceTests {
    @Test(arguments: ["1\n", "\n", "{\"@type\":\"Thing\"}\n"])
    func `an import of many short lines suspends regularly`(line: String) async throws {
        let http = try await CookbookHarness()
        let lines = 10_000
        let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/v1/import")
        let body = ByteBuffer(string: String(repeating: line, count: lines))
        let request = Request(head: head, body: RequestBody(buffer: body))
        let executor = TurnCounter()
        try await withTaskExecutorPreference(executor) {
            var upload = ImportUpload(useCase: http.api.system.importRecipes)
            try await ImportRoute(service: http.api.service).readLines(of: request, into: &upload)
        }
        // Each line counts as 256 bytes of the 16 KiB after which the import suspends.
        #expect(executor.turns >= lines / 64)
    }
}

/// Runs jobs in order, and counts them.
private final class TurnCounter: TaskExecutor {
    private let count = Atomic(0)
    private let queue = DispatchQueue(label: "test")

    var turns: Int { count.load(ordering: .relaxed) }

    func enqueue(_ job: consuming ExecutorJob) {
        count.add(1, ordering: .relaxed)
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
