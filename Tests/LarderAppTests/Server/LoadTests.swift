import Foundation
import Testing

@testable import LarderApp

struct LoadTests {
    private static let slow = "GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    private static let health = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    private static func outcomes(_ port: Int, _ count: Int, _ bytes: String) async -> [RawConnection.Outcome] {
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await RawConnection.exchange(port, bytes) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `a connection too many is answered with 503`() async throws {
        try await TestServer.run(TestServer.limits { $0.connections = 2 }) { server in
            let outcomes = await Self.outcomes(server.port, 5, Self.slow)
            #expect(outcomes.flatMap(\.statuses).sorted() == [200, 200, 503, 503, 503])
            #expect(!outcomes.contains { !$0.isClosed })
            let refused = outcomes.filter { $0.statuses == [503] }
            #expect(!refused.contains { !$0.text.lowercased().contains("retry-after") })
            // The places are free again.
            #expect(await RawConnection.exchange(server.port, Self.health).statuses == [200])
        }
    }

    @Test func `a request too many is answered with 503, but not one for health`() async throws {
        try await TestServer.run(TestServer.limits { $0.requestsInFlight = 2 }) { server in
            async let slow = Self.outcomes(server.port, 5, Self.slow)
            let health = await Self.outcomes(server.port, 3, Self.health)
            let statuses = await slow.flatMap(\.statuses).sorted()
            #expect(statuses == [200, 200, 503, 503, 503])
            #expect(health.flatMap(\.statuses) == [200, 200, 200])
        }
    }

    @Test func `a request that takes too long is cancelled and answered with 503`() async throws {
        try await TestServer.run(TestServer.limits { $0.requestTimeout = .milliseconds(100) }) { server in
            let bytes = "GET /slow?ms=5000 HTTP/1.1\r\nHost: a\r\n\r\n"
            let outcome = await RawConnection.exchange(server.port, bytes, upTo: 0.4)
            #expect(outcome.statuses == [503])
            #expect(outcome.text.contains("problem+json"))
        }
    }

    @Test func `requests that came at once are answered in order`() async throws {
        try await TestServer.run { server in
            let first = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"
            let body = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
            let outcome = await RawConnection.exchange(server.port, first + body + Self.health, upTo: 1)
            #expect(outcome.statuses == [200, 200, 200])
            let order = ["slow", "3 bytes", "well"].compactMap { outcome.text.range(of: $0)?.lowerBound }
            #expect(order.count == 3 && order == order.sorted())
            #expect(outcome.isClosed)
        }
    }
}
