@testable import LarderHTTP
import NIOCore
import Testing

struct InputClockTests {
    private static let limits = TestServer.limits {
        $0.headerTimeout = .seconds(5)
        $0.bodyTimeout = .seconds(10)
        $0.rateWindow = .seconds(5)
        $0.bodyRate = 100
        $0.idleTimeout = .seconds(60)
    }
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func instant(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

    @Test func `a long body that comes fast enough is never late`() {
        var clock = InputClock(Self.limits, now: start)
        clock.headArrived(length: 1_000_000, now: start)
        for second in Int64(1)...600 {
            clock.bodyArrived(bytes: 101)
            #expect(clock.lateness(now: instant(second)) == nil)
        }
    }

    @Test func `a long body is late in the first window in which too little comes`() {
        var clock = InputClock(Self.limits, now: start)
        clock.headArrived(length: nil, now: start)
        clock.bodyArrived(bytes: 100_000)
        #expect(clock.lateness(now: instant(5)) == nil)
        clock.bodyArrived(bytes: 499)
        #expect(clock.lateness(now: instant(9)) == nil)
        #expect(clock.lateness(now: instant(10)) == .body)
    }

    @Test func `a short body is late when it is not complete in its time, however fast it began`() {
        var clock = InputClock(Self.limits, now: start)
        clock.headArrived(length: 900, now: start)
        clock.bodyArrived(bytes: 899)
        #expect(clock.lateness(now: instant(9)) == nil)
        #expect(clock.lateness(now: instant(10)) == .body)
    }

    @Test func `time in which the server did not read is not the client's`() {
        var clock = InputClock(Self.limits, now: start)
        clock.headArrived(length: 900, now: start)
        clock.restart(now: instant(9))
        #expect(clock.lateness(now: instant(18)) == nil)
        #expect(clock.lateness(now: instant(19)) == .body)
    }

    @Test func `the first head has its time from the connection on, a later one from its first byte`() {
        var clock = InputClock(Self.limits, now: start)
        clock.bytesArrived(now: instant(4))
        #expect(clock.lateness(now: instant(5)) == .head)
        clock.requestArrived(now: instant(10))
        #expect(clock.lateness(now: instant(69)) == nil)
        clock.bytesArrived(now: instant(69))
        #expect(clock.lateness(now: instant(73)) == nil)
        #expect(clock.lateness(now: instant(74)) == .head)
    }

    @Test func `a client that sends no request is late`() {
        var clock = InputClock(Self.limits, now: start)
        #expect(clock.lateness(now: instant(5)) == .nextRequest)
        clock.requestArrived(now: start)
        #expect(clock.lateness(now: instant(60)) == .nextRequest)
    }
}
