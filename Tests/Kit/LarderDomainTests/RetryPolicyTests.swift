import LarderDomain
import Synchronization
import Testing

@Suite("A retry policy")
final class RetryPolicyTests: Sendable {
    private struct Stopped: Error {}

    private let pauses = Mutex<[Duration]>([])
    private var waited: [Duration] { pauses.withLock(\.self) }
    private let lost = PersistencyError.contention("lost")

    private func policy(attempts: Int, longest: Duration = .milliseconds(5)) -> RetryPolicy {
        RetryPolicy(
            attempts: attempts, firstPause: .milliseconds(2), longestPause: longest,
            sleep: { pause in self.pauses.withLock { $0.append(pause) } }, jitter: { 0.5 })
    }

    @Test func `repeats a loss up to its bound, after pauses that double up to a limit`() async {
        var numbers: [Int] = []
        await #expect(throws: PersistencyError.self) {
            try await policy(attempts: 4).repeating(while: { $0.isLoss() }) {
                (number) async throws(PersistencyError) -> Int in
                numbers.append(number)
                throw lost
            }
        }
        #expect(numbers == [1, 2, 3, 4])
        #expect(waited == [.milliseconds(1), .milliseconds(2), .microseconds(2_500)])
    }

    @Test func `returns the result of the first attempt that succeeds`() async throws {
        let result = try await policy(attempts: 9).repeating(while: { $0.isLoss() }) {
            (number) async throws(PersistencyError) -> Int in
            if number < 3 { throw lost }
            return number
        }
        #expect(result == 3)
        #expect(waited.count == 2)
    }

    @Test func `does not repeat after another error, nor with one attempt`() async {
        for (attempts, error) in [(9, PersistencyError.unsupportedQuery("a test")), (1, lost)] {
            var count = 0
            await #expect(throws: PersistencyError.self) {
                try await policy(attempts: attempts).repeating(while: { $0.isLoss() }) {
                    (_) async throws(PersistencyError) -> Int in
                    count += 1
                    throw error
                }
            }
            #expect(count == 1)
        }
        #expect(waited.isEmpty)
    }

    @Test func `ends a pause when the task is cancelled`() async {
        let task = Task {
            try await RetryPolicy(firstPause: .seconds(600), longestPause: .seconds(600), jitter: { 1 }).repeating(
                while: { $0.isLoss() }
            ) { (_) async throws(PersistencyError) -> Int in throw .contention("lost") }
        }
        task.cancel()
        guard case .failure(PersistencyError.cancelled) = await task.result else {
            return #expect(Bool(false), "the task was not cancelled")
        }
    }

    @Test func `passes on errors of other types`() async {
        let interruption: any Error = PersistencyError.cancelled
        await #expect(throws: Stopped.self) {
            try await policy(attempts: 2).repeating(interruption: interruption, while: { $0 is Stopped }) { _ in
                throw Stopped()
            }
        }
        #expect(waited.count == 1)
    }
}
