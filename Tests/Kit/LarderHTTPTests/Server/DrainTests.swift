@testable import LarderHTTP
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DrainTests {
    private static let health = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    private static let held = "GET /held HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `a request that was begun is answered, and the connection ends with it`() async throws {
        try await TestServer.run(TestServer.limits { $0.drainTimeout = .seconds(60) }) { server in
            async let held = RawConnection.exchange(server.port, Self.held)
            try await server.hasRequests(1)
            try await server.beginToStop()
            #expect(server.signal.isGiven)
            server.routes.release.set()
            let outcome = await held
            #expect(outcome.statuses == [200])
            #expect(outcome.text.lowercased().contains("connection: close"))
            #expect(outcome.isClosed)
        }
    }

    @Test func `a request that does not end in time is cancelled and answered`() async throws {
        let limits = TestServer.limits { $0.drainTimeout = .milliseconds(100) }
        let outcome = try await TestServer.run(limits) { server in
            async let held = RawConnection.exchange(server.port, Self.held)
            try await server.hasRequests(1)
            await server.stop()
            return await held
        }
        #expect(outcome.statuses == [503])
        #expect(outcome.text.contains("shutting-down"))
        #expect(outcome.seconds < RawConnection.patience / 2)
    }

    @Test func `an idle connection ends, one on which a request is on its way gets an answer`() async throws {
        let limits = TestServer.limits {
            $0.idleTimeout = .seconds(60)
            // The maximum transit time of a request, long enough for a busy machine.
            $0.drainIdle = .seconds(5)
        }
        try await TestServer.run(limits) { server in
            let request = RawConnection.Step.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            let (firstIsRead, secondIsRead, isStopping) = (Flag(), Flag(), Flag())
            async let idle = RawConnection.exchange(server.port, [request, .receive("well"), .note(firstIsRead)])
            async let late = RawConnection.exchange(
                server.port,
                [request, .receive("well"), .note(secondIsRead), .hold(until: isStopping), request])
            try await firstIsRead.wait()
            try await secondIsRead.wait()
            try await server.beginToStop()
            isStopping.set()
            let (first, second) = await (idle, late)
            #expect(first.statuses == [200])
            #expect(first.isClosed)
            #expect(second.statuses == [200, 200])
            #expect(second.isClosed)
        }
    }

    @Test func `clients that come while the server stops do not keep it from stopping`() async throws {
        for _ in 0..<20 {
            let isServed = Flag()
            try await TestServer.run { server in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<8 {
                        group.addTask {
                            while case let outcome = await RawConnection.exchange(server.port, Self.health),
                                outcome.isClosed
                            {
                                if outcome.statuses == [200] { isServed.set() }
                            }
                        }
                    }
                    // Otherwise the server might stop before the first connection.
                    try await isServed.wait()
                    await server.stop()
                    try await group.waitForAll()
                }
            }
            #expect(isServed.isSet)
        }
    }

    @Test func `a task that waits for the signal receives it, or the cancellation`() async throws {
        let signal = ShutdownSignal()
        let cancelled = Task { await signal.wait() }
        cancelled.cancel()
        await cancelled.value
        #expect(!signal.isGiven)
        let (isWaiting, hasHeard) = (Flag(), Flag())
        let waiting = Task {
            isWaiting.set()
            await signal.wait()
            hasHeard.set()
        }
        try await isWaiting.wait()
        for _ in 0..<100 { await Task.yield() }
        #expect(!hasHeard.isSet)
        signal.give()
        await waiting.value
        #expect(hasHeard.isSet && signal.isGiven)
        // A later caller does not wait.
        await signal.wait()
    }
}
