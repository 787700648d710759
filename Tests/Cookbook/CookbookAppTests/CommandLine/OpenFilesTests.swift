import Foundation
import LarderTesting
import Testing

/// `serve` with few descriptors, on a busy machine: the dispatch library opens a file when threads are delayed.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OpenFilesTests {
    /// Starts the program with a hard and soft limit of open files.
    private static func serve(_ larder: LarderProcess, files: Int) throws -> ServeProcess {
        let shell = try larder.folder.file("serve", "ulimit -n \(files) && exec \"$@\"")
        return try ServeProcess(larder, ["--http-port", "0", "--development"]) { process in
            process.arguments = [shell, larder.binary.path] + (process.arguments ?? [])
            process.executableURL = URL(filePath: "/bin/sh")
        }
    }

    /// Each processor beyond four needs three more for its event loop.
    private static let few = 64 + 3 * max(0, ProcessInfo.processInfo.activeProcessorCount - 4)

    @Test(arguments: [few, 256, 1024])
    func `a service whose connections are all in use survives, and answers afterwards`(files: Int) async throws {
        let larder = try LarderProcess()
        let served = try Self.serve(larder, files: files)
        let port = try await served.port()
        let loops = (0..<4).map { _ in Process() }
        for loop in loops {
            loop.executableURL = URL(filePath: "/usr/bin/env")
            // They end by themselves: this test may itself be delayed, and other tests need the processors. The shell
            // inherits that the test process ignores SIGTERM.
            loop.arguments = ["timeout", "-s", "KILL", "4", "sh", "-c", "while :; do :; done"]
            try loop.run()
        }
        let clients = (0..<files).map { _ in
            LocalPort.open("GET /v1/changes HTTP/1.1\r\nHost: a\r\n\r\n", to: port)
        }
        try await Task.sleep(for: .seconds(3))
        for client in clients { close(client) }
        // Connections of closed clients may still be accepted first.
        #expect(LocalPort.get("/health/live", port).hasPrefix("HTTP/1.1 200"))
        // Its end is not waited for: processes that were started later keep it from being noticed.
        kill(served.process.processIdentifier, SIGKILL)
    }

    @Test func `a service that could open too few files does not start, and says why`() async throws {
        let larder = try LarderProcess()
        let ended = try await Self.serve(larder, files: 40).ended()
        #expect(ended.status == 78)
        #expect(ended.errors.contains("the limit of 40 open files leaves none for connections"))
        #expect(ended.errors.contains("ulimit -n"))
        // The folder of its output ends with it.
        withExtendedLifetime(larder) {}
    }
}
