import Testing

@testable import LarderApp

struct SlowClientTests {
    @Test func `a head that drips is answered with 408 and ended`() async throws {
        try await TestServer.run { server in
            let outcome = await RawConnection.exchange(
                server.port, "GET /he", "alth H", "TTP/1.1\r\n", "Host:", "a\r", "\n", "X: 1", pause: 0.1)
            #expect(outcome.statuses == [408])
            #expect(outcome.isClosed)
        }
    }

    @Test func `the head of a later request has the same time`() async throws {
        try await TestServer.run(TestServer.limits { $0.idleTimeout = .seconds(5) }) { server in
            let first = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
            let outcome = await RawConnection.exchange(server.port, first, "GET", " /hea", "lth", pause: 0.12)
            #expect(outcome.statuses == [200, 408])
            #expect(outcome.isClosed)
        }
    }

    @Test(arguments: ["", "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"])
    func `a connection that is idle is ended without a word`(bytes: String) async throws {
        try await TestServer.run { server in
            let outcome = await RawConnection.exchange(server.port, bytes)
            #expect(outcome.statuses == (bytes.isEmpty ? [] : [200]))
            #expect(outcome.isClosed)
            #expect(outcome.seconds < 1)
        }
    }

    @Test(arguments: [
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n",
    ])
    func `a body that drips is answered with 408 and ended`(head: String) async throws {
        try await TestServer.run { server in
            let drops = Array(repeating: head.contains("chunked") ? "1\r\na\r\n" : "a", count: 8)
            let pieces = ([head] + drops).map { Array($0.utf8) }
            let outcome = await RawConnection.exchange(server.port, pieces, pause: 0.06)
            #expect(outcome.statuses == [408], "\(outcome.text)")
            #expect(outcome.text.contains("problem+json"))
            #expect(outcome.isClosed)
        }
    }

    @Test func `an upload that is fast enough may take any time`() async throws {
        try await TestServer.run(TestServer.limits { $0.requestTimeout = .seconds(5) }) { server in
            let head = "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n"
            let pieces = [Array(head.utf8)] + Array(repeating: [UInt8](repeating: 0x61, count: 1000), count: 10)
            let outcome = await RawConnection.exchange(server.port, pieces, pause: 0.06)
            #expect(outcome.statuses == [200], "\(outcome.text)")
            #expect(outcome.text.hasSuffix("10000 bytes"))
        }
    }

    @Test(arguments: [
        "Content-Length: 9000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n800000\r\n",
    ])
    func `who floods after a refusal gets the answer, and is cut off`(fields: String) async throws {
        try await TestServer.run(TestServer.limits { $0.lingerBytes = 100_000 }) { server in
            let head = "POST /echo HTTP/1.1\r\nHost: a\r\n" + fields
            let flood = Array(repeating: [UInt8](repeating: 0x61, count: 20_000), count: 100)
            let outcome = await RawConnection.exchange(server.port, [Array(head.utf8)] + flood, pause: 0.001)
            #expect(outcome.isClosed)
            #expect(outcome.seconds < 1.5)
            let polite = await RawConnection.exchange(server.port, head + String(repeating: "a", count: 20_000))
            #expect(polite.statuses == [413], "\(polite.text)")
            #expect(polite.text.contains("Connection: close") || polite.text.contains("connection: close"))
            #expect(polite.isClosed)
        }
    }

    @Test func `who does not read an answer is cut off`() async throws {
        try await TestServer.run(TestServer.limits { $0.stallTimeout = .milliseconds(200) }) { server in
            let outcome = await RawConnection.exchange(
                server.port, "GET /endless HTTP/1.1\r\nHost: a\r\n\r\n", pause: 0.6, upTo: 1.5)
            #expect(outcome.statuses == [200])
            #expect(outcome.isClosed)
        }
    }

    @Test func `an answer that did not read the body ends the connection`() async throws {
        try await TestServer.run { server in
            let head = "POST /unread HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\nabc"
            let outcome = await RawConnection.exchange(server.port, head)
            #expect(outcome.statuses == [200])
            #expect(outcome.text.lowercased().contains("connection: close"))
            #expect(outcome.isClosed)
        }
    }

    @Test func `who asks whether to go on hears so, or the refusal`() async throws {
        try await TestServer.run { server in
            func head(_ length: Int) -> String {
                "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: \(length)\r\n\r\n"
            }
            let taken = await RawConnection.exchange(server.port, head(3), "abc", pause: 0.1)
            #expect(taken.statuses == [100, 200], "\(taken.text)")
            let refused = await RawConnection.exchange(server.port, head(30_000))
            #expect(refused.statuses == [413], "\(refused.text)")
        }
    }
}
