import Foundation
import LarderData
import LarderDomain
import LarderFollowers
import Synchronization
import Testing

@Suite("Recurring work")
struct RecurringTests {
    private struct Failure: Error {}

    /// Work that stores its ticks.
    private func ticks(
        _ missed: RecurringWork.Missed = .runOnce, every schedule: Schedule = .minutes(1)
    ) -> RecurringWork {
        var work = RecurringWork.storing("ticks", every: schedule) { tick, unit in
            try await unit.create(Echo(at: tick))
        }
        (work.missed, work.tolerance) = (missed, .seconds(30))
        return work
    }

    /// The minutes of the stored ticks.
    private func minutes(_ notes: FollowedNotes) async throws -> [Int64] {
        try await notes.manager.read(Query<Echo>()).items.map(\.entity.version)
    }

    private func isStarted(_ notes: FollowedNotes) async throws -> Bool {
        try await !notes.manager.read(Query<RecurringState>()).items.isEmpty
    }

    @Test(arguments: FollowedStore.all + FollowedStore.all.map(\.shared))
    func `is done once for each tick, over two processes that end and start again`(_ kind: FollowedStore) async throws {
        let clock = SetClock()
        let notes = try await FollowedNotes(kind, clock: clock.clock)
        let (one, other) = (try notes.recurring(ticks()), try notes.recurring(ticks()))
        try await notes.run(one) { try await isStarted(notes) }
        let isShared = kind.name.hasSuffix("shared")
        for tick in 1...30 {
            clock.advance(seconds: 60)
            let isDone: @Sendable () async throws -> Bool = { try await minutes(notes).count >= tick }
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await one.run() }
                if isShared { group.addTask { try await other.run() } }
                try await eventually(isDone)
            }
        }
        #expect(try await minutes(notes) == (1001...1030).map { $0 })
    }

    @Test(arguments: FollowedStore.all)
    func `does the last missed tick, or none`(_ kind: FollowedStore) async throws {
        for missed in [RecurringWork.Missed.runOnce, .skip] {
            let clock = SetClock()
            let notes = try await FollowedNotes(kind, clock: clock.clock)
            let work = try notes.recurring(ticks(missed))
            try await notes.run(work) { try await isStarted(notes) }
            clock.advance(seconds: 605)
            // Later than the tolerance, before the next tick.
            if missed == .skip { clock.advance(seconds: 54) }
            let isSkipped = missed == .skip
            try await notes.run(work) {
                try await work.recurringStates()[0].tick == Timestamp(minutes: 1010)
            }
            #expect(try await minutes(notes) == (isSkipped ? [] : [1010]))
            clock.advance(seconds: isSkipped ? 5 : 55)
            try await notes.run(work) { try await minutes(notes).last == 1011 }
        }
    }

    @Test(arguments: [Int64(60), 86_400], [RecurringWork.Missed.runOnce, .skip])
    func `repeats no tick when the clock is set back by a day, and misses those in between when it is set forward`(
        period: Int64, _ missed: RecurringWork.Missed
    ) async throws {
        let (clock, day) = (SetClock(), Int64(86_400))
        let notes = try await FollowedNotes(.memory, clock: clock.clock)
        // The clock starts at the tick of the minute 1000, which is 16:40 in UTC.
        let work = try notes.recurring(
            ticks(missed, every: period == day ? .day(at: 16, 40, in: .gmt) : .minutes(1)))
        try await notes.run(work) { try await isStarted(notes) }
        let run = Task { try await work.run() }
        defer { run.cancel() }
        let first = 1000 + period / 60
        clock.advance(seconds: period)
        try await eventually { try await minutes(notes) == [first] }
        for seconds in [-day, period / 2, day - period / 2] {
            clock.advance(seconds: seconds)
            try await clock.awaitLooks()
            #expect(try await minutes(notes) == [first])
        }
        // The last tick is later than the tolerance.
        clock.advance(seconds: day + 45)
        let last = first + day / 60
        try await eventually { try await work.recurringStates()[0].tick == Timestamp(minutes: last) }
        clock.advance(seconds: period - 45)
        let next = last + period / 60
        try await eventually { try await minutes(notes).last == next }
        #expect(try await minutes(notes) == (missed == .skip ? [first, next] : [first, last, next]))
    }

    @Test func `is repeated after a failure, which is reported once`() async throws {
        let clock = SetClock()
        let notes = try await FollowedNotes(.memory, clock: clock.clock)
        let attempts = Mutex(0)
        let notices = Mutex<[String]>([])
        let work = try notes.recurring(
            .storing("ticks", every: .minutes(1)) { tick, unit in
                try await unit.create(Echo(at: tick))
                if attempts.withLock({
                    $0 += 1; return $0
                }) < 4 {
                    throw Failure()
                }
            }, report: { notice in notices.withLock { $0.append(notice.kind) } })
        try await notes.run(work) { try await isStarted(notes) }
        clock.advance(seconds: 60)
        try await notes.run(work) { try await minutes(notes) == [1001] }
        #expect(attempts.withLock { $0 } == 4)
        #expect(notices.withLock { $0 } == ["failed", "done"])
    }

    @Test func `that skips missed ticks and calls others is done at most once`() async throws {
        let clock = SetClock()
        let notes = try await FollowedNotes(.memory, clock: clock.clock)
        let calls = Mutex<[Timestamp]>([])
        var calling = RecurringWork.calling("ticks", every: .minutes(1)) { tick, _ in
            calls.withLock { $0.append(tick) }
            throw Failure()
        }
        calling.missed = .skip
        let work = try notes.recurring(calling)
        try await notes.run(work) { try await isStarted(notes) }
        clock.advance(seconds: 60)
        try await notes.run(work) { calls.withLock { !$0.isEmpty } }
        clock.advance(seconds: 60)
        try await notes.run(work) { calls.withLock { $0.count >= 2 } }
        #expect(calls.withLock { $0 } == [1001, 1002].map(Timestamp.init(minutes:)))
    }

    @Test func `is cancelled after its limit`() async throws {
        let clock = SetClock()
        let notes = try await FollowedNotes(.memory, clock: clock.clock)
        var endless = RecurringWork.calling("ticks", every: .minutes(1)) { _, _ in
            try await Task.sleep(for: .seconds(600))
        }
        endless.limit = .milliseconds(5)
        let work = try notes.recurring(endless)
        try await notes.run(work) { try await isStarted(notes) }
        clock.advance(seconds: 60)
        try await notes.run(work) {
            try await work.recurringStates()[0].failure == "the work took longer than 0.005 seconds"
        }
    }
}

@Suite("A schedule")
struct ScheduleTests {
    private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    @Test func `of an interval has its multiples since 1970`() throws {
        let schedule = Schedule.minutes(5)
        #expect(schedule.tick(until: try time("2026-01-01T00:04:59Z")) == (try time("2026-01-01T00:00:00Z")))
        #expect(schedule.tick(until: try time("2026-01-01T00:05:00Z")) == (try time("2026-01-01T00:05:00Z")))
        #expect(schedule.tick(until: try time("1969-12-31T23:59:59Z")) == (try time("1969-12-31T23:55:00Z")))
        #expect(Schedule.minutes(0) == .minutes(1))
    }

    @Test func `of a day has its local time once on days of a change of clocks`() throws {
        let schedule = Schedule.day(at: 2, 30, in: try #require(TimeZone(identifier: "Europe/Paris")))
        // The clocks go from 02:00 to 03:00.
        #expect(schedule.tick(until: try time("2026-03-29T00:59:59Z")) == (try time("2026-03-28T01:30:00Z")))
        #expect(schedule.tick(until: try time("2026-03-29T12:00:00Z")) == (try time("2026-03-29T01:00:00Z")))
        // They go from 03:00 to 02:00.
        #expect(schedule.tick(until: try time("2026-10-25T00:29:59Z")) == (try time("2026-10-24T00:30:00Z")))
        #expect(schedule.tick(until: try time("2026-10-25T12:00:00Z")) == (try time("2026-10-25T00:30:00Z")))
    }
}

extension Timestamp {
    fileprivate init(minutes: Int64) { self.init(microseconds: minutes * 60_000_000) }
}
