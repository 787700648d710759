import Foundation
import Hummingbird
import LarderApp
import LarderData
import LarderDomain
import LarderInfrastructure
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import LarderHTTP

/// Sends a response to each client without reading a request, and closes the connection.
private final class Answering: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    private let response: String

    init(response: String) {
        self.response = response
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        channel.writeAndFlush(ByteBuffer(string: response)).whenComplete { _ in
            channel.close(mode: .output, promise: nil)
        }
    }
}

/// `backup --service`: the service that has a store open backs it up.
struct BackupServiceTests {
    private let home = FileManager.default.temporaryDirectory.appending(path: "backup-\(UUID().uuidString)")

    private var path: String { home.appending(path: "made").path }

    /// Runs a command, and returns its exit status and output.
    private func run(_ arguments: [String], token: String) async -> (status: Int32, text: String) {
        let output = CapturedOutput()
        let environment = UserEnvironment(["HOME": home.path, "MY_LOANS_SERVICE_TOKEN": token])
        let status = await UserEnvironment.$current.withValue(environment) {
            await output.during { await CommandFrame.run(Loans.self, Loans.identity, arguments: arguments) }
        }
        return (status, String(decoding: output.output + output.errors, as: UTF8.self))
    }

    @Test(arguments: ["sqlite:", "file:"])
    func `a store that a service has open is backed up and restored`(kind: String) async throws {
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let (store, output) = (kind + home.appending(path: "store").path, CapturedOutput())
        let environment = UserEnvironment(["HOME": home.path])
        let served = Task {
            await UserEnvironment.$current.withValue(environment) {
                await output.during {
                    await CommandFrame.run(
                        Loans.self, Loans.identity, arguments: ["serve", "--http-port", "0", "--store", store])
                }
            }
        }
        var announced = ""
        while !announced.contains("Store: "), !served.isCancelled {
            try await Task.sleep(for: .milliseconds(10))
            announced = String(decoding: output.output, as: UTF8.self)
        }
        let address = String(try #require(announced.firstMatch(of: #/http:\/\/127\.0\.0\.1:\d+/#)).0)
        let token = String(try #require(announced.firstMatch(of: #/First librarian token, shown only once: (\S+)/#)).1)

        let made = await run(["backup", path, "--service", address + "/", "--insecure"], token: token)
        #expect(made.status == 0 && made.text.contains("person") && made.text.contains("schema version 1"))
        let refused = await run(["backup", path + "2", "--service", address], token: "my_loans_wrong")
        #expect(refused.status == 77 && refused.text.contains("refuses the token (401"))
        let lost = await run(["backup", path + "2", "--service", address + "/elsewhere"], token: token)
        #expect(lost.status == 69 && lost.text.contains("answers 404"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0.hasPrefix("made") } == ["made"])
        if kind == "file:" {
            #expect(await run(["backup", path + "2", "--store", store], token: "").status == 75)
        } else {
            let direct = await run(["backup", path + "2", "--store", store, "--json"], token: "")
            let sent = await run(["restore", path, "--verify", "--json"], token: "")
            #expect(direct.text.split(separator: "\n")[0] == sent.text.split(separator: "\n")[0])
        }
        let transfer = ["transfer", "--from", store, "--to", "sqlite:" + home.appending(path: "moved").path]
        let filled = await run(transfer + ["--live", "--service", address, "--insecure"], token: token)
        #expect(filled.status == 0 && filled.text.contains("Stop the services"))
        #expect(await run(transfer, token: "").status == 75)
        served.cancel()
        _ = await served.value
        let moved = await run(transfer, token: "")
        #expect(moved.status == 0 && moved.text.contains("transferred \(store)"))

        let restored = await run(["restore", path, "--store", kind + home.appending(path: "restored").path], token: "")
        #expect(restored.status == 0 && restored.text.contains("restored \(kind)"))
        let again = await run(["restore", path, "--store", store], token: "")
        #expect(again.status == 73 && again.text.contains("exists already"))
    }

    @Test func `the token is sent without TLS only to this machine, unless the command permits it`() async throws {
        for host in ["10.0.0.1", "example.org", "[2001:db8::1]", "127.0.0.1.example.org"] {
            let refused = await run(["backup", path, "--service", "http://\(host):1"], token: "my_loans_x")
            #expect(refused.status == 64 && refused.text.contains("unencrypted"), "\(host): \(refused.text)")
        }
        for service in ["http://localhost:1", "http://[::1]:1", "https://127.0.0.1:1"] {
            let sent = await run(["backup", path, "--service", service], token: "my_loans_x")
            #expect(sent.status == 69, "\(service): \(sent.text)")
        }
        let sources = try await SettingSources(
            flags: ["service": "http://10.0.0.1"], environment: UserEnvironment(["SERVICE_SERVICE_TOKEN": "x"]))
        #expect(try ServiceStore(sources, isInsecure: true) != nil)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nLrdH", 69, "has not sent a complete backup: curl: (18)"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nLrdH", 69, "has not sent a complete backup: /"),
        ("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", 69, "answers 302"),
        ("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", 75, "is busy (503)"),
    ])
    func `no response but a complete backup becomes a file`(response: String, status: Int32, text: String) async throws
    {
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { $0.pipeline.addHandler(Answering(response: response)) }
            .bind(host: "127.0.0.1", port: 0).get()
        let service = "http://127.0.0.1:\(try #require(server.localAddress?.port))"
        // The configuration of curl has these characters in quotes.
        let made = await run(["backup", path + " \"1\"\n\\", "--service", service], token: "\"token\\")
        #expect(made.status == status && made.text.contains(text), "\(made.text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
        try await server.close().get()
    }

    @Test(arguments: ["", "two words", "line\nbreak", "é"])
    func `a text that cannot be a token is not sent`(token: String) async {
        let refused = await run(["backup", path, "--service", "http://127.0.0.1:1"], token: token)
        #expect(refused.status == 78 && refused.text.contains("is not set to a token"), "\(refused.text)")
    }

    @Test func `one backup is made at a time, and a response that is never sent ends`() async throws {
        let route = BackupRoute<CallerContext<Librarian>>(MemoryStore(try MapperSet(Loans.mappers).schemas))
        var first: Response? = try route.response(Logger(label: "test"))
        #expect(first?.status == .ok)
        #expect(throws: Problem.self) { try route.response(Logger(label: "test")) }
        first = nil
        let second = try route.response(Logger(label: "test"))
        let collected = Collected()
        try await second.body.write(CollectingWriter(collected: collected))
        #expect(collected.text.hasPrefix("LrdH"))
        _ = try route.response(Logger(label: "test"))
    }
}
