import Logging
import Testing

@testable import LarderApp
@testable import LarderHTTP

struct ClientGoneTests {
    @Test(arguments: [
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\nabc",
        "POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ])
    func `a client that disconnects in the middle of its body is no failure of the service`(bytes: String) async throws
    {
        for (last, statuses) in [(RawConnection.Step.closeOutput, [400]), (.reset, [])] {
            let log = LogRecorder()
            try await TestServer.run(logger: log.logger(.info)) { server in
                let isWorkedOn = Flag()
                async let client = RawConnection.exchange(server.port, [.send(bytes), .hold(until: isWorkedOn), last])
                try await server.hasRequests(1)
                isWorkedOn.set()
                let outcome = await client
                #expect(outcome.statuses == statuses, "\(outcome.text)")
                #expect(outcome.isClosed)
                try await server.hasRequests(0)
            }
            let lines = try log.objects()
            #expect(lines.count { $0.message == "the client disconnected before the response" } == 1)
            #expect(lines.allSatisfy { $0.level == "info" }, "\(log.text)")
        }
    }

    @Test(arguments: [RawConnection.Step.reset, .close])
    func `a request that waits in a queue leaves it when its client disconnects`(last: RawConnection.Step) async throws
    {
        try await TestServer.run(TestServer.limits { $0.departureDelay = .milliseconds(20) }) { server in
            let gate = server.routes.gate
            let request = "GET /gated HTTP/1.1\r\nHost: a\r\n\r\n"
            async let first = RawConnection.exchange(server.port, request)
            try await server.hasRequests(1)
            let isWaiting = Flag()
            async let second = RawConnection.exchange(server.port, [.send(request), .hold(until: isWaiting), last])
            try await until { gate.waitingCount == 1 }
            isWaiting.set()
            try await until { gate.waitingCount == 0 }
            try await server.hasRequests(1)
            _ = await second
            server.routes.release.set()
            #expect(await first.statuses == [200])
        }
    }

    @Test func `a client that sends no more requests gets its response`() async throws {
        try await TestServer.run(TestServer.limits { $0.departureDelay = .milliseconds(20) }) { server in
            let request = "GET /held HTTP/1.1\r\nHost: a\r\n\r\n"
            let isReceived = Flag()
            async let client = RawConnection.exchange(
                server.port, [.send(request), .closeOutput, .receive("100"), .note(isReceived)])
            try await isReceived.wait()
            server.routes.release.set()
            let outcome = await client
            #expect(outcome.isContinued && outcome.statuses == [200])
        }
    }
}
