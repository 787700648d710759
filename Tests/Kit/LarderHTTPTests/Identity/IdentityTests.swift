import Foundation
import HTTPTypes
import Hummingbird
import LarderApp
import LarderData
import LarderHTTP
import LarderInfrastructure
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

/// Everything that a service prints, logs, serves and writes contains its own name, and never the kit's.
struct IdentityTests {
    /// The exceptions with the kit's name: the files of a file store, which would not be found under another name.
    private static let formats = ["larder.log", "larder.lock", "larder.closed"]

    private func expectNoProductName(_ what: String, _ text: String) {
        let rest = Self.formats.reduce(text) { $0.replacing($1, with: "") }
        for line in rest.split(separator: "\n") {
            #expect(!line.lowercased().contains("larder"), "\(what): \(line.prefix(200))")
        }
    }

    /// Runs commands in an empty home folder.
    private func withHome(_ body: (URL, ([String]) async -> String) async throws -> Void) async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "identity-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        try await UserEnvironment.$current.withValue(UserEnvironment(["HOME": home.path])) {
            try await body(home) { arguments in
                let output = CapturedOutput()
                _ = await output.during { await CommandFrame.run(Loans.self, Loans.identity, arguments: arguments) }
                return String(decoding: output.output + output.errors, as: UTF8.self)
            }
        }
    }

    @Test func `commands print and write the service's name`() async throws {
        try await withHome { home, run in
            let folder = "file:\(home.path)/kept"
            let mappers = try MapperSet(Loans.mappers)
            try await StoreSettings(location: .file(folder: home.path + "/kept")).open(mappers.schemas).close()
            let commands = ["backup", "check", "compact", "config", "log", "restore", "serve", "verify"]
            var lines = commands.map { [$0, "--help"] } + [["--help"], ["confg"], ["verify"], ["--completions"]]
            lines += [["config"], ["config", "--json"], ["config", "--store", "x"], ["check", "--store", "x"]]
            lines += [["verify", "--store", folder], ["compact", "--store", folder], ["log", "--store", folder]]
            lines += [["log", "--json", "--store", folder], ["verify", "--store", "sqlite:/nowhere/x"]]
            lines += [["serve", "--http-host", "0.0.0.0"], ["serve", "--http-port", "x"]]
            for line in lines {
                let text = await run(line)
                #expect(!text.isEmpty, "\(line)")
                expectNoProductName("\(line)", text)
            }
            #expect(await run(["config"]).contains("http-first-librarian"))
            #expect(await run(["serve", "--help"]).contains("MY_LOANS_HTTP_FIRST_LIBRARIAN"))
            // The errors for data that is not a store do not name the kit either.
            try Data("text".utf8).write(to: home.appending(path: "kept/larder.log"))
            for store in [folder, "sqlite:\(home.path)/kept/larder.log"] {
                expectNoProductName(store, await run(["verify", "--store", store]))
            }
        }
    }

    @Test func `serve announces, answers and stores under the service's name`() async throws {
        try await withHome { home, _ in
            let output = CapturedOutput()
            let served = Task {
                await output.during {
                    await CommandFrame.run(Loans.self, Loans.identity, arguments: ["serve", "--http-port", "0"])
                }
            }
            var announced = ""
            while !announced.contains("Store: "), !served.isCancelled {
                try await Task.sleep(for: .milliseconds(10))
                announced = String(decoding: output.output, as: UTF8.self)
            }
            expectNoProductName("serve", announced)
            let port = try #require(announced.firstMatch(of: #/http:\/\/127\.0\.0\.1:(\d+)\//#).flatMap { Int($0.1) })
            let token = try #require(announced.firstMatch(of: #/First librarian token, shown only once: (\S+)/#)).1
            #expect(token.hasPrefix("my_loans_"))
            let paths = [
                "/", "/docs", "/openapi.json", "/openapi.yaml", "/assets/docs.js", "/assets/openapi.js",
                "/assets/docs.css", "/assets/page.css", "/assets/dom.js", "/assets/icon.svg", "/metrics",
                "/health/live", "/health/ready", "/v1/persons", "/v1/persons/x", "/v1/persons?x=1",
            ]
            for path in paths {
                for credentials in [String(token), "wrong"] {
                    let answer = await RawConnection.exchange(
                        port,
                        "GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer \(credentials)\r\n\r\n"
                    )
                    #expect(!answer.text.isEmpty)
                    expectNoProductName(path, answer.text)
                }
            }
            let unknown = await RawConnection.exchange(
                port, "POST /v1/persons HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            #expect(unknown.text.contains(#"Bearer realm="my-loans""#))
            expectNoProductName("threads", try Self.threadNames())
            served.cancel()
            _ = await served.value
            let files = try FileManager.default.subpathsOfDirectory(atPath: home.path)
            #expect(files.contains(".local/share/my-loans/my-loans.sqlite"))
            expectNoProductName("files", files.joined(separator: "\n"))
        }
    }

    @Test func `the log has the service's name`() async throws {
        let log = Mutex("")
        let sink = LogSink { line in log.withLock { $0 += String(decoding: line, as: UTF8.self) } }
        let store = MemoryStore(try MapperSet(Loans.mappers).schemas)
        let metrics = PrometheusMetrics()
        let measured = ObservedStore(store, metrics: StoreMetrics(metrics), slow: .zero)
        let api = LoansAPI(StoreManager(measured, mappers: try MapperSet(Loans.mappers)), ServerLimits())
        let router = try api.router(
            feed: await ChangeFeed(of: store), readiness: Readiness { .unusable("failed") },
            metrics: metrics, outermost: [RequestLogMiddleware(metrics: metrics)], watchesClients: false)
        let logger = Logger(label: Loans.identity.name) { JSONLogHandler(label: $0, level: .trace, sink: sink) }
        let responder = router.buildResponder()
        for path in ["/health/ready", "/v1/persons", "/v1/persons?x", "/metrics"] {
            var head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: path)
            if path == "/metrics" { head.headerFields[.authorization] = "Bearer x" }
            _ = try await responder.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
                context: CallerContext(source: .init(channel: EmbeddedChannel(), logger: logger)))
        }
        store.close()
        let lines = log.withLock(\.self)
        #expect(lines.split(separator: "\n").allSatisfy { $0.contains(#""logger":"my-loans""#) })
        #expect(lines.contains("slow store operation") && lines.contains("token refused"))
        expectNoProductName("log", lines)
    }

    /// The names of this process's threads, without names that are the process's, because it is the test runner.
    private static func threadNames() throws -> String {
        let folder = "/proc/self/task"
        guard FileManager.default.fileExists(atPath: folder) else { return "" }
        let process = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8)
        }
        return names.filter { $0 != process }.joined()
    }
}
