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
            #expect(lines.count { $0.message == "the client disconnected before its body was complete" } == 1)
            #expect(lines.allSatisfy { $0.level == "info" }, "\(log.text)")
        }
    }
}
