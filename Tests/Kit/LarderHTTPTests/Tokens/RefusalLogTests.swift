import Logging
import Synchronization
import Testing

@testable import LarderHTTP

struct RefusalLogTests {
    @Test func `a flood of refused tokens logs a few lines, and then the number of the others`() throws {
        let recorder = LogRecorder()
        let clock = Mutex(ContinuousClock.now)
        let log = RefusalLog { clock.withLock(\.self) }
        for _ in 0..<1_000 { log.note("token refused", ["reason": "unknown"], to: recorder.logger()) }
        #expect(recorder.text.count == RefusalLog.linesPerSecond)
        #expect(recorder.text.allSatisfy { $0.contains("token refused") && !$0.contains("omitted") })
        clock.withLock { $0 += .seconds(1) }
        log.note("token refused", ["reason": "expired"], to: recorder.logger())
        #expect(recorder.text.last?.contains(#""omitted":"990""#) == true)
        log.note("token refused", ["reason": "expired"], to: recorder.logger())
        #expect(recorder.text.last?.contains("omitted") == false)
    }
}
