@testable import LarderHTTP
import Testing

@Suite("Work gate")
struct WorkGateTests {
    @Test func `no more work than it has places, each gets a turn, and in order`() async throws {
        let gate = WorkGate(2)
        let inside = Tally()
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    try await gate.pass {
                        inside.add(1)
                        await Task.yield()
                        inside.add(-1)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect((1...2).contains(inside.most))
        #expect(inside.now == 0)
    }

    @Test func `a task that is cancelled while it waits frees its place, and no other`() async throws {
        let gate = WorkGate(1)
        let (isInside, flag) = (Flag(), Flag())
        let first = Task {
            try await gate.pass {
                isInside.set()
                try await flag.wait()
            }
        }
        try await isInside.wait()
        let second = Task { try await gate.pass {} }
        let third = Task { try await gate.pass {} }
        while gate.waitingCount < 2 { await Task.yield() }
        third.cancel()
        await #expect(throws: CancellationError.self) { try await third.value }
        flag.set()
        try await first.value
        try await second.value
        struct Oops: Error {}
        await #expect(throws: Oops.self) { try await gate.pass { throw Oops() } }
        let one = try await gate.pass { 1 }
        #expect(one == 1)
    }
}
