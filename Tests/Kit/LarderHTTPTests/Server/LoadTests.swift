import Foundation
import Testing

@testable import LarderApp
@testable import LarderHTTP

struct LoadTests {
    private static let held = "GET /held HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    private static let health = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    /// The outcomes of five requests. The last two are held until three are answered and a check has run.
    private static func heldRequests(
        _ server: TestServer, check: @Sendable () async throws -> Void = {}
    ) async throws -> [RawConnection.Outcome] {
        try await withThrowingTaskGroup { group in
            for _ in 0..<5 { group.addTask { await RawConnection.exchange(server.port, held) } }
            var outcomes: [RawConnection.Outcome] = []
            for try await outcome in group {
                outcomes.append(outcome)
                guard outcomes.count == 3 else { continue }
                try await check()
                server.routes.release.set()
            }
            return outcomes
        }
    }

    @Test func `a connection too many is answered with 503`() async throws {
        try await TestServer.run(TestServer.limits { $0.connections = 2 }) { server in
            let outcomes = try await Self.heldRequests(server)
            #expect(outcomes.map(\.statuses) == [[503], [503], [503], [200], [200]])
            #expect(!outcomes.contains { !$0.isClosed })
            #expect(!outcomes.prefix(3).contains { !$0.text.lowercased().contains("retry-after") })
            // The slots are free again as soon as the server detects that the clients have disconnected.
            var statuses: [Int] = []
            repeat {
                statuses = await RawConnection.exchange(server.port, Self.health).statuses
            } while statuses == [503]
            #expect(statuses == [200])
        }
    }

    @Test func `a connection beyond the limit is for one health check or one request with a token`() async throws {
        try await TestServer.run(TestServer.limits { $0.connections = 2 }) { server in
            try await withThrowingTaskGroup { group in
                for _ in 0..<2 { group.addTask { await RawConnection.exchange(server.port, Self.held) } }
                try await server.hasRequests(2)
                for (request, status) in [
                    ("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n", 503),
                    ("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n", 404),
                    ("GET /health HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\n\r\n", 200),
                ] {
                    let outcome = await RawConnection.exchange(server.port, request)
                    #expect(outcome.statuses == [status] && outcome.isClosed)
                    #expect(outcome.text.lowercased().contains("connection: close"))
                }
                server.routes.release.set()
                for try await outcome in group { #expect(outcome.statuses == [200]) }
            }
        }
    }

    @Test func `idle connections beyond the limit are closed early`() async throws {
        let limits = TestServer.limits { ($0.connections, $0.headerTimeout) = (2, .seconds(600)) }
        try await TestServer.run(limits) { server in
            try await withThrowingTaskGroup { group in
                for _ in 0..<2 { group.addTask { await RawConnection.exchange(server.port, Self.held) } }
                try await server.hasRequests(2)
                await withTaskGroup { idle in
                    for piece in ["", "GET /health HTTP/1.1\r\n"] {
                        idle.addTask { await RawConnection.exchange(server.port, piece) }
                    }
                    for await outcome in idle { #expect(outcome.isClosed) }
                }
                server.routes.release.set()
                for try await outcome in group { #expect(outcome.statuses == [200]) }
            }
        }
    }

    @Test func `a request too many is answered with 503, but not one for health`() async throws {
        try await TestServer.run(TestServer.limits { $0.requestsInFlight = 2 }) { server in
            let held = try await Self.heldRequests(server) {
                try await server.hasRequests(2)
                #expect(await RawConnection.exchange(server.port, Self.health).statuses == [200])
            }
            #expect(held.map(\.statuses) == [[503], [503], [503], [200], [200]])
        }
    }

    @Test func `a request that takes too long is cancelled and answered with 503`() async throws {
        try await TestServer.run(TestServer.limits { $0.requestTimeout = .milliseconds(100) }) { server in
            let outcome = await RawConnection.exchange(server.port, "GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(outcome.statuses == [503])
            #expect(outcome.text.contains(#"{"type":"/docs#problem-timed-out","title":"Processing timed out","#))
            #expect(outcome.text.contains("Retry-After: 5\r\n"))
            #expect(outcome.seconds < RawConnection.patience / 2)
        }
    }

    @Test(arguments: ["POST /kept HTTP/1.1\r\n", "POST /held HTTP/1.1\r\n"])
    func `a request that takes too long after its body, or before it, is answered with 503`(head: String) async throws {
        try await TestServer.run(TestServer.limits { $0.requestTimeout = .milliseconds(100) }) { server in
            let body = String(repeating: "a", count: head.contains("held") ? 2000 : 3000)
            let outcome = await RawConnection.exchange(
                server.port, head + "Host: a\r\nContent-Length: 3000\r\n\r\n" + body)
            #expect(outcome.statuses == [503], "\(outcome.text)")
            #expect(outcome.seconds < RawConnection.patience / 2)
        }
    }

    @Test func `requests that came at once are answered in order`() async throws {
        try await TestServer.run { server in
            let first = "GET /held HTTP/1.1\r\nHost: a\r\n\r\n"
            let body = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
            async let exchange = RawConnection.exchange(server.port, first + body + Self.health)
            try await server.hasRequests(1)
            server.routes.release.set()
            let outcome = await exchange
            #expect(outcome.statuses == [200, 200, 200])
            let order = ["held", "3 bytes", "well"].compactMap { outcome.text.range(of: $0)?.lowerBound }
            #expect(order.count == 3 && order == order.sorted())
            #expect(outcome.isClosed)
        }
    }

    @Test func `the answer before a request whose body is on its way does not end the connection`() async throws {
        try await TestServer.run { server in
            let first = "GET /held HTTP/1.1\r\nHost: a\r\n\r\n"
            let head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na"
            async let exchange = RawConnection.exchange(
                server.port, [.send(first + head), .receive("held"), .send("bc"), .receive("3 bytes")])
            try await server.hasRequests(1)
            server.routes.release.set()
            let outcome = await exchange
            #expect(outcome.statuses == [200, 200])
            #expect(!outcome.text.lowercased().contains("connection: close"))
        }
    }
}
