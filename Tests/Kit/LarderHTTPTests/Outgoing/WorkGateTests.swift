import LarderApp
import Synchronization
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

    @Test func `anonymous callers leave the rest of a gate to known ones, and a caller the rest to others`() throws {
        let gate = WorkGate(10, perCaller: 3, anonymous: 4)
        let anonymous = try (0..<4).map { _ in try gate.claim() }
        #expect(throws: WorkRefusal.anonymous) { try gate.claim() }
        let ann = try gate.claim(2, for: "ann")
        #expect(throws: WorkRefusal.caller) { try ann.grow(by: 2) }
        try ann.grow(by: 1)
        #expect(gate.used == 7)
        let bob = try gate.claim(3, for: "bob")
        #expect(throws: WorkRefusal.process) { try gate.claim(for: "eve") }
        ann.release()
        ann.release()
        #expect(gate.used == 7)
        _ = try gate.claim(3, for: "eve")
        withExtendedLifetime((anonymous, bob)) {}
        #expect(gate.used == 7)
    }

    @Test func `callers take turns, independent of the number of their tasks`() async throws {
        let gate = WorkGate(1)
        let (isInside, flag) = (Flag(), Flag())
        let order = Order()
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await gate.pass {
                    isInside.set()
                    try await flag.wait()
                }
            }
            try await isInside.wait()
            for (number, caller) in [nil, nil, nil, "ann", "ann", "bob"].enumerated() {
                group.addTask {
                    try await gate.pass(for: caller) { order.add(caller ?? "anonymous") }
                }
                while gate.waitingCount <= number { await Task.yield() }
            }
            flag.set()
            try await group.waitForAll()
        }
        #expect(order.names == ["anonymous", "ann", "bob", "anonymous", "ann", "anonymous"])
    }

    @Test func `a waiting task whose share is in use does not hold up another caller`() async throws {
        let gate = WorkGate(2, anonymous: 1)
        let held = try gate.claim()
        let second = Task { try await gate.pass {} }
        while gate.waitingCount < 1 { await Task.yield() }
        try await gate.pass(for: "ann") {}
        #expect(gate.waitingCount == 1)
        held.release()
        try await second.value
        #expect(gate.used == 0)
    }
}

/// The names of tasks in the order of their turns.
private final class Order: Sendable {
    private let added = Mutex<[String]>([])
    var names: [String] { added.withLock { $0 } }
    func add(_ name: String) { added.withLock { $0.append(name) } }
}
