import Synchronization
import Testing

@testable import LarderApp

struct ProgressBarTests {
    @Test func `a bar is drawn ten times a second at most, however much is done`() async {
        let caught = CapturedOutput()
        let clock = Mutex(ContinuousClock.now)
        await caught.during {
            var bar = ProgressBar("import", isShown: true) { clock.withLock { $0 } }
            // 40,000 items per second.
            for number in 1...40_000 {
                bar.update(done: number, fraction: Double(number) / 40_000)
                clock.withLock { $0 += .microseconds(25) }
            }
        }
        let drawings = String(decoding: caught.errors, as: UTF8.self).split(separator: "\r")
        #expect(drawings.count == 10)
        #expect(drawings.first?.hasSuffix("0 %  1") == true)
        #expect(drawings.last?.hasSuffix("90 %  36001") == true)
    }
}
