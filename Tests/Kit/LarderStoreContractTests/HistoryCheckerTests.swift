import Testing

@testable import LarderStoreContract

/// Handwritten histories, which test each rule of the checker.
struct HistoryCheckerTests {
    /// Key 0 gets the value 1, then 2, while another client writes key 1.
    private let writes = [
        HistoryEvent(1, 1...2, wrote: [0: .put(version: 1, value: 1)]),
        HistoryEvent(1, 5...8, told: [0: 1], wrote: [0: .put(version: 2, value: 2)]),
        HistoryEvent(2, 3...4, wrote: [1: .put(version: 1, value: 11)]),
        HistoryEvent(2, 9...12, told: [1: 1], wrote: [1: .put(version: 2, value: 12)]),
    ]

    @Test func `a read during a write may return the state before or after it`() throws {
        for (version, value) in [(1, 1), (2, 2)] as [(Int64, Int)] {
            let read = HistoryEvent(3, 6...7, saw: [0: .present(version: version, value: value)])
            try HistoryChecker.check(writes + [read])
        }
    }

    @Test func `a read of a value that was replaced before it began is refused`() {
        #expect(refusal([HistoryEvent(3, 9...10, saw: [0: .present(version: 1, value: 1)])]) == 2)
    }

    @Test func `a read of a value that was written after it ended is refused`() {
        #expect(refusal([HistoryEvent(3, 3...4, saw: [0: .present(version: 2, value: 2)])]) == 2)
    }

    @Test func `a reader of an earlier state is refused, also if each of its reads is possible`() {
        let reads = [
            HistoryEvent(3, 5...6, saw: [0: .present(version: 2, value: 2)]),
            HistoryEvent(3, 7...8, saw: [0: .present(version: 1, value: 1)]),
        ]
        #expect(refusal(reads) == 3)
    }

    @Test func `a value that was never written, or at another version, is refused`() {
        #expect(refusal([HistoryEvent(3, 9...10, saw: [0: .present(version: 2, value: 7)])]) == 1)
        #expect(refusal([HistoryEvent(3, 6...7, saw: [0: .present(version: 2, value: 1)])]) == 1)
        #expect(refusal([HistoryEvent(3, 6...7, told: [0: 3])]) == 1)
    }

    @Test func `theirs, which has no version, has to be of its time too`() throws {
        try HistoryChecker.check(writes + [HistoryEvent(3, 9...10, saw: [0: .present(version: nil, value: 2)])])
        #expect(refusal([HistoryEvent(3, 9...10, saw: [0: .present(version: nil, value: 1)])]) == 2)
        #expect(refusal([HistoryEvent(3, 9...10, saw: [0: .absent])]) == 3)
    }

    @Test func `a fork and a gap are refused`() {
        #expect(refusal([HistoryEvent(3, 5...8, wrote: [0: .put(version: 2, value: 7)])]) == 2)
        #expect(refusal([HistoryEvent(3, 9...10, wrote: [0: .put(version: 4, value: 7)])]) == 2)
    }

    @Test func `two keys that were never so together are refused in one read, and not in two`() throws {
        let (old, new) = (HistoryEvent.Content.present(version: 1, value: 11), (HistoryEvent.Content.absent))
        #expect(refusal([HistoryEvent(3, 1...20, saw: [0: .present(version: 2, value: 2), 1: new])]) == 3)
        try HistoryChecker.check(writes + [HistoryEvent(3, 1...20, saw: [0: .present(version: 2, value: 2), 1: old])])
        let apart = [
            HistoryEvent(3, 1...20, saw: [0: .present(version: 2, value: 2)]), HistoryEvent(4, 1...20, saw: [1: new]),
        ]
        try HistoryChecker.check(writes + apart)
    }

    @Test func `two commits that each read a value that the other one replaces are refused`() {
        let seen: [Int: HistoryEvent.Content] = [
            0: .present(version: 2, value: 2), 1: .present(version: 2, value: 12),
        ]
        let doctors = [
            HistoryEvent(3, 20...30, saw: seen, wrote: [0: .put(version: 3, value: 3)]),
            HistoryEvent(4, 21...31, saw: seen, wrote: [1: .put(version: 3, value: 13)]),
        ]
        #expect(refusal(doctors) == 2)
    }

    @Test func `a deleted entity remains absent, and is deleted once`() throws {
        let gone = HistoryEvent(1, 9...10, told: [0: 2], wrote: [0: .deleted])
        try HistoryChecker.check(writes + [gone, HistoryEvent(3, 11...12, saw: [0: .absent])])
        #expect(refusal([gone, HistoryEvent(3, 11...12, saw: [0: .present(version: 2, value: 2)])]) == 2)
        #expect(refusal([gone, HistoryEvent(3, 6...7, saw: [0: .absent])]) == 2)
        #expect(refusal([gone, HistoryEvent(3, 11...12, wrote: [0: .deleted])]) == 2)
    }

    /// The number of events in the checker's proof that the history is impossible; `nil` if it is possible.
    private func refusal(_ events: [HistoryEvent]) -> Int? {
        do throws(HistoryFault) {
            try HistoryChecker.check(writes + events)
            return nil
        } catch {
            return error.events.count
        }
    }
}

extension HistoryEvent {
    fileprivate init(
        _ client: Int, _ time: ClosedRange<Int>, saw: [Int: Content] = [:], told: [Int: Int64] = [:],
        wrote: [Int: Write] = [:]
    ) {
        self.init(
            client: client, what: "acts", begin: time.lowerBound, end: time.upperBound, seen: saw, written: wrote,
            versions: told)
    }
}
