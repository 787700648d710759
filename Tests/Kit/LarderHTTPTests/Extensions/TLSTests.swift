import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Logging
import NIOCore
import NIOHTTPTypes
import Testing

@testable import LarderHTTP

@Suite(.timeLimit(.minutes(5)))
struct TLSTests {
    private let certificate: SelfSigned

    init() throws {
        certificate = try SelfSigned()
    }

    /// A server of HTTP/2 and HTTP/1.1 over TLS.
    private func run(
        _ change: (inout ServerLimits) -> Void = { _ in }, log: LogRecorder = LogRecorder(),
        _ body: @Sendable (TestServer, TLSClient) async throws -> Void
    ) async throws {
        let tls = certificate.tls
        let limits = TestServer.limits {
            // Long enough for the time between two requests of a test that waits long for its turn.
            $0.idleTimeout = .seconds(20)
            change(&$0)
        }
        try await TestServer.run(limits, logger: log.logger(.info)) { guarded in
            guarded.builder { responder, configuration in
                try HTTP2UpgradeChannel(
                    tlsConfiguration: tls, configuration: .init(streamConfiguration: configuration),
                    responder: responder)
            }
        } _: { [certificate = certificate.certificate] server in
            try await body(server, TLSClient(port: server.port, certificate: certificate))
        }
    }

    private static let health = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    @Test func `HTTP/2 and HTTP/1.1 are served over TLS with a certificate that signs itself`() async throws {
        try await run { _, client in
            let text = try await client.text(Self.health)
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("well"))
            try await client.withHTTP2 { connection in
                let health = try await connection.send(.get, "/health")
                #expect(health.statuses == [200] && health.body == "well" && health.isComplete)
                let echo = try await connection.send(.post, "/echo", body: "abc")
                #expect(echo.statuses == [200] && echo.body == "3 bytes")
            }
        }
    }

    @Test func `TLS alone wraps the guard, and HTTP/1.1 over it has the guard's limits`() async throws {
        let (tls, certificate) = (certificate.tls, certificate.certificate)
        // The handshake counts, and takes more than a second while other tests run.
        let limits = TestServer.limits { $0.headerTimeout = .seconds(5) }
        try await TestServer.run(limits, server: { try .tls($0.builder(), tlsConfiguration: tls) }) { server in
            let client = TLSClient(port: server.port, certificate: certificate)
            let health = try await client.text(Self.health)
            #expect(health.hasSuffix("well"))
            let malformed = try await client.text("GET  /health HTTP/1.1\r\n\r\n")
            #expect(malformed.hasPrefix("HTTP/1.1 400 "))
            let unfinished = try await client.text("GET /health HTT")
            #expect(unfinished.hasPrefix("HTTP/1.1 408 "))
            // The client does not even start the TLS handshake.
            #expect(await RawConnection.exchange(server.port, []).isClosed)
        }
    }

    @Test func `HTTP/1.1 beside HTTP/2 has the guard's limits`() async throws {
        try await run {
            $0.headerTimeout = .seconds(5)
        } _: { _, client in
            let malformed = try await client.text("GET  /health HTTP/1.1\r\n\r\n")
            #expect(malformed.hasPrefix("HTTP/1.1 400 "))
            let unfinished = try await client.text("GET /health HTT")
            #expect(unfinished.hasPrefix("HTTP/1.1 408 "))
            #expect(try await client.text("").isEmpty)
        }
    }

    @Test func `connections without a request end: before TLS, before the first request, and after the last`()
        async throws
    {
        try await run {
            $0.headerTimeout = .seconds(5)
            $0.idleTimeout = .seconds(5)
        } _: { server, client in
            #expect(await RawConnection.exchange(server.port, []).isClosed)
            try await client.withHTTP2 { try await $0.channel.closeFuture.get() }
            try await client.withHTTP2 { connection in
                #expect(try await connection.send(.get, "/health").statuses == [200])
                try await connection.channel.closeFuture.get()
            }
        }
    }

    @Test func `a stream's target is checked`() async throws {
        try await run {
            $0.targetBytes = 300
        } _: { _, client in
            try await client.withHTTP2 { connection in
                for path in ["/../x", "/%zz", "/a?b=%ff"] {
                    let answer = try await connection.send(.get, path)
                    #expect(answer.statuses == [400], "\(path)")
                    #expect(answer.heads.first?.headerFields[.contentType] == "application/problem+json")
                }
                let long = try await connection.send(.get, "/" + String(repeating: "a", count: 300))
                #expect(long.statuses == [414])
                #expect(try await connection.send(.get, "/health").statuses == [200])
            }
        }
    }

    @Test func `a stream's body must come in time, and be small enough`() async throws {
        try await run {
            $0.bodyTimeout = .milliseconds(300)
            $0.rateWindow = .milliseconds(300)
        } _: { _, client in
            try await client.withHTTP2 { connection in
                let short = try await connection.send(
                    .post, "/echo", headers: [.contentLength: "10"], body: "abc", ends: false)
                #expect(short.statuses == [408] && short.isComplete)
                let slow = try await connection.send(.post, "/upload", body: "abc", ends: false)
                #expect(slow.statuses == [408])
                let large = try await connection.send(.post, "/echo", body: String(repeating: "a", count: 2000))
                #expect(large.statuses == [413])
                #expect(large.heads.first?.headerFields[.connection] == nil)
                #expect(try await connection.send(.get, "/health").statuses == [200])
            }
        }
    }

    @Test func `a stream has the limits on time and on requests, and 100 Continue`() async throws {
        try await run {
            $0.requestTimeout = .milliseconds(200)
        } _: { _, client in
            try await client.withHTTP2 { connection in
                let held = try await connection.send(.get, "/held")
                #expect(held.statuses == [503])
            }
        }
        // With the usual time for work, which a busy processor prolongs.
        try await run {
            $0.requestTimeout = .seconds(30)
            $0.bodyTimeout = .milliseconds(300)
        } _: { _, client in
            try await client.withHTTP2 { connection in
                // The client waits for 100, and then sends nothing.
                let asked = try await connection.send(
                    .post, "/echo", headers: [.expect: "100-continue", .contentLength: "3"], ends: false)
                #expect(asked.statuses == [100, 408])
                #expect(try await connection.send(.post, "/unread", body: "abc", ends: false).body == "unread")
                #expect(try await connection.send(.head, "/endless").isComplete)
            }
        }
    }

    @Test func `streams of a connection too many are answered with 503`() async throws {
        try await run {
            $0.connections = 1
        } _: { server, client in
            try await client.withHTTP2 { first in
                async let held = first.send(.get, "/held")
                try await server.hasRequests(1)
                try await client.withHTTP2 { second in
                    let answer = try await second.send(.get, "/health")
                    #expect(answer.statuses == [503])
                }
                server.routes.release.set()
                #expect(try await held.statuses == [200])
            }
        }
    }

    @Test func `a client that resets a stream, or its connection, is no failure of the service`() async throws {
        let log = LogRecorder()
        try await run(log: log) { server, client in
            struct Gone: Error {}
            for closesConnection in [false, true] {
                try await client.withHTTP2 { connection in
                    await #expect(throws: Gone.self) {
                        try await connection.send(.post, "/upload", body: "abc", ends: false) {
                            try await server.hasRequests(1)
                            if closesConnection { try await connection.channel.close() }
                            throw Gone()
                        }
                    }
                    try await server.hasRequests(0)
                }
            }
        }
        let lines = try log.objects()
        #expect(lines.allSatisfy { $0.level == "info" }, "\(log.text)")
    }

    @Test func `a server that stops answers the streams that it has begun`() async throws {
        try await run { server, client in
            try await client.withHTTP2 { connection in
                async let held = connection.send(.get, "/held")
                try await server.hasRequests(1)
                await server.stop()
                try await until { server.signal.isGiven }
                // By then the connection knows that this response is its last: it closes when the response ends.
                try await Task.sleep(for: .milliseconds(100))
                server.routes.release.set()
                let answer = try await held
                #expect(answer.statuses == [200] && answer.body == "held" && answer.isComplete)
                try await connection.channel.closeFuture.get()
            }
        }
    }

    @Test func `clients that come while the server stops do not keep it from stopping`() async throws {
        for _ in 0..<10 {
            try await run { server, client in
                await withTaskGroup { group in
                    for _ in 0..<8 {
                        group.addTask {
                            while (try? await client.withHTTP2 { try await $0.send(.get, "/health") }) != nil {}
                        }
                    }
                    try? await Task.sleep(for: .milliseconds(50))
                    await server.stop()
                }
            }
        }
    }
}
