import Testing

@testable import LarderApp

struct DrainTests {
    @Test func `a request that was begun is answered, and the connection ends with it`() async throws {
        try await TestServer.run { server in
            async let slow = RawConnection.exchange(server.port, "GET /slow?ms=300 HTTP/1.1\r\nHost: a\r\n\r\n")
            try await Task.sleep(for: .milliseconds(100))
            await server.stop()
            let outcome = await slow
            #expect(outcome.statuses == [200])
            #expect(outcome.text.lowercased().contains("connection: close"))
            #expect(outcome.isClosed)
            #expect(server.signal.isGiven)
            #expect(await RawConnection.exchange(server.port, "").isClosed == false)
        }
    }

    @Test func `a request that does not end in time is cancelled and answered`() async throws {
        let limits = TestServer.limits { $0.drainTimeout = .milliseconds(100) }
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = try await TestServer.run(limits) { server in
            async let slow = RawConnection.exchange(server.port, "GET /slow?ms=9000 HTTP/1.1\r\nHost: a\r\n\r\n")
            try await Task.sleep(for: .milliseconds(100))
            await server.stop()
            return await slow
        }
        #expect(outcome.statuses == [503])
        #expect(outcome.text.contains("shutting-down"))
        #expect(clock.now - start < .seconds(2))
    }

    @Test func `an idle connection ends, one on which a request is on its way gets an answer`() async throws {
        let limits = TestServer.limits {
            $0.idleTimeout = .seconds(5)
            $0.drainIdle = .milliseconds(300)
        }
        try await TestServer.run(limits) { server in
            let request = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
            async let idle = RawConnection.exchange(server.port, request)
            async let late = RawConnection.exchange(server.port, request, request, pause: 0.2)
            try await Task.sleep(for: .milliseconds(100))
            await server.stop()
            let (first, second) = await (idle, late)
            #expect(first.statuses == [200])
            #expect(first.isClosed && first.seconds < 1)
            #expect(second.statuses == [200, 200])
            #expect(second.isClosed && second.seconds < 1)
        }
    }

    @Test func `whoever waits for the signal hears it, or the cancellation`() async throws {
        let signal = ShutdownSignal()
        let cancelled = Task { await signal.wait() }
        cancelled.cancel()
        await cancelled.value
        async let waiting: Void = signal.wait()
        signal.give()
        await waiting
        await signal.wait()
    }
}
