import Testing

@testable import LarderApp
@testable import LarderHTTP

/// Input that arrives in drips never becomes complete, so a machine under load only makes the server notice later.
@Suite(.timeLimit(.minutes(5)))
struct SlowClientTests {
    private static let short = TestServer.limits {
        $0.headerTimeout = .milliseconds(200)
        $0.bodyTimeout = .milliseconds(200)
        $0.rateWindow = .milliseconds(200)
        $0.idleTimeout = .seconds(60)
    }

    @Test func `a head that drips is answered with 408 and ended`() async throws {
        try await TestServer.run(Self.short) { server in
            let outcome = await RawConnection.exchange(
                server.port, "GET /he", "alth H", "TTP/1.1\r\n", "Host:", "a\r", "\n", "X: 1", pause: 0.1)
            #expect(outcome.statuses == [408])
            #expect(outcome.isClosed)
        }
    }

    @Test func `the head of a later request has the same time`() async throws {
        let limits = TestServer.limits {
            // Long enough for the first head on a busy machine.
            $0.headerTimeout = .seconds(5)
            $0.idleTimeout = .seconds(60)
        }
        try await TestServer.run(limits) { server in
            let drops = ["GET", " /hea", "lth"].map { Array($0.utf8) }
            let first = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
            let outcome = await RawConnection.exchange(
                server.port, [.send(first), .receive("well")] + RawConnection.dripping(drops, pause: 2.5))
            #expect(outcome.statuses == [200, 408])
            #expect(outcome.isClosed)
        }
    }

    @Test func `a connection without a request is ended without a word`() async throws {
        try await TestServer.run(Self.short) { server in
            let outcome = await RawConnection.exchange(server.port, "")
            #expect(outcome.statuses == [])
            #expect(outcome.isClosed)
        }
    }

    @Test func `a connection that is idle after an answer is ended without a word`() async throws {
        try await TestServer.run(TestServer.limits { $0.idleTimeout = .milliseconds(200) }) { server in
            let outcome = await RawConnection.exchange(server.port, "GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(outcome.statuses == [200])
            #expect(outcome.isClosed)
        }
    }

    @Test(arguments: [
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n",
    ])
    func `a body that drips is answered with 408 and ended`(head: String) async throws {
        let limits = TestServer.limits {
            $0.bodyTimeout = .milliseconds(200)
            $0.rateWindow = .milliseconds(200)
            $0.idleTimeout = .seconds(60)
        }
        try await TestServer.run(limits) { server in
            let drops = Array(repeating: head.contains("chunked") ? "1\r\na\r\n" : "a", count: 8)
            let pieces = ([head] + drops).map { Array($0.utf8) }
            let outcome = await RawConnection.exchange(server.port, RawConnection.dripping(pieces, pause: 0.06))
            #expect(outcome.statuses == [408], "\(outcome.text)")
            #expect(outcome.text.contains("problem+json"))
            #expect(outcome.isClosed)
        }
    }

    @Test func `an upload that is fast enough may take longer than a short body`() async throws {
        try await TestServer.run(TestServer.limits { $0.bodyTimeout = .milliseconds(200) }) { server in
            let head = "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n"
            let pieces = [Array(head.utf8)] + Array(repeating: [UInt8](repeating: 0x61, count: 1000), count: 10)
            let outcome = await RawConnection.exchange(server.port, RawConnection.dripping(pieces, pause: 0.06))
            #expect(outcome.statuses == [200], "\(outcome.text)")
            #expect(outcome.text.hasSuffix("10000 bytes"))
        }
    }

    @Test(arguments: ["Content-Length: 10000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n"])
    func `time in which a body comes is none that its request is worked on`(framing: String) async throws {
        // The body takes longer than the limit, but the work between its pieces takes far less, also on a busy machine.
        try await TestServer.run(TestServer.limits { $0.requestTimeout = .seconds(4) }) { server in
            let piece = String(repeating: "a", count: 1000)
            let head = "POST /upload HTTP/1.1\r\nHost: a\r\n" + framing
            let isChunked = framing.contains("chunked")
            let pieces = Array(repeating: isChunked ? "3e8\r\n\(piece)\r\n" : piece, count: 10)
            let all = ([head] + pieces + (isChunked ? ["0\r\n\r\n"] : [])).map { Array($0.utf8) }
            let outcome = await RawConnection.exchange(server.port, RawConnection.dripping(all, pause: 0.5))
            #expect(outcome.seconds > 4)
            #expect(outcome.statuses == [200], "\(outcome.text)")
            #expect(outcome.text.contains("10000 bytes"))
        }
    }

    @Test(arguments: [
        "Content-Length: 9000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n800000\r\n",
    ])
    func `a client that floods after a refusal gets the response, and is disconnected`(fields: String) async throws {
        let limits = TestServer.limits {
            $0.lingerTimeout = .seconds(60)
            $0.lingerBytes = 100_000
        }
        try await TestServer.run(limits) { server in
            let head = "POST /echo HTTP/1.1\r\nHost: a\r\n" + fields
            let flood = Array(repeating: [UInt8](repeating: 0x61, count: 20_000), count: 100)
            let outcome = await RawConnection.exchange(
                server.port, RawConnection.dripping([Array(head.utf8)] + flood, pause: 0.001))
            #expect(outcome.isClosed)
            let polite = await RawConnection.exchange(server.port, head + String(repeating: "a", count: 20_000))
            #expect(polite.statuses == [413], "\(polite.text)")
            #expect(polite.text.lowercased().contains("connection: close"))
            #expect(polite.isClosed)
        }
    }

    @Test func `a client that does not read its response is disconnected`() async throws {
        try await TestServer.run(TestServer.limits { $0.stallTimeout = .milliseconds(200) }) { server in
            let request = "GET /endless HTTP/1.1\r\nHost: a\r\n\r\n"
            let outcome = await RawConnection.exchange(
                server.port, [.send(request), .hold(until: server.routes.isEnded)])
            #expect(server.routes.isEnded.isSet)
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

    @Test func `a client that expects 100 Continue receives it, or the refusal`() async throws {
        try await TestServer.run { server in
            func head(_ length: Int) -> String {
                "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: \(length)\r\n\r\n"
            }
            let taken = await RawConnection.exchange(
                server.port, [.send(head(3)), .receive("100 Continue\r\n\r\n"), .send("abc")])
            #expect(taken.isContinued && taken.statuses == [200], "\(taken.text)")
            let refused = await RawConnection.exchange(server.port, head(30_000))
            // A busy server may send both responses.
            #expect(refused.statuses == [413], "\(refused.text)")
        }
    }
}
