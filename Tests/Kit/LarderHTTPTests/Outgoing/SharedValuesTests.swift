@testable import LarderHTTP
import Testing

@Suite("Shared values")
struct SharedValuesTests {
    @Test func `a value is loaded once while it fits, and again after it made room for others`() async throws {
        let values = SharedValues<Int, [UInt8]>(bytes: 25, loads: 1) { $0.count }
        var loads: [Int] = []
        func value(_ key: Int, _ size: Int = 10) async throws -> Int? {
            try await values.value(for: key) {
                loads.append(key)
                return Array(repeating: 0, count: size)
            }?.count
        }
        for key in [1, 2, 1, 2, 3, 2, 1] {
            let count = try await value(key)
            #expect(count == 10)
        }
        #expect(loads == [1, 2, 3, 1])
        // One value is always cached, independent of its size.
        for _ in 0..<2 {
            let count = try await value(9, 1_000)
            #expect(count == 1_000)
        }
        #expect(loads == [1, 2, 3, 1, 9])
        let absent = try await values.value(for: 7) { nil }
        let present = try await values.value(for: 7) { [1] }
        #expect(absent == nil && present == [1])
    }

    @Test func `concurrent requests for the same value share one load`() async throws {
        let values = SharedValues<Int, [UInt8]>(bytes: 25, loads: 2) { $0.count }
        let loads = Tally()
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    let value = try await values.value(for: 1) {
                        loads.add(1)
                        await Task.yield()
                        return [7]
                    }
                    #expect(value == [7])
                }
            }
            try await group.waitForAll()
        }
        // Two loads may start before there is a value.
        #expect(loads.now <= 2)
    }
}
