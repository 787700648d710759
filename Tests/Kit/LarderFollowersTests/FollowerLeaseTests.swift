import Foundation
import LarderData
import LarderDomain
@testable import LarderFollowers
import LarderInfrastructure
import Synchronization
import Testing

@Suite("Followers of several processes")
struct FollowerLeaseTests {
    @Test(arguments: FollowedStore.all.map(\.shared))
    func `a run that has lost its lease has no effect, and the other one has it once`(
        _ kind: FollowedStore
    ) async throws {
        let (clock, stopped) = (SetClock(), SetClock())
        let notes = try await FollowedNotes(kind, clock: stopped.clock)
        let other = FollowedNotes(sharing: notes, clock: clock.clock)
        let isHeld = Mutex(true)
        let isSuspended = Mutex(false)
        let suspended = try notes.followers(
            .echoes { _ in
                isSuspended.withLock { $0 = true }
                try? await eventually { isHeld.withLock { !$0 } }
            })
        let prompt = try other.followers(.echoes())
        try await withThrowingTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask { try await suspended.run() }
            try await eventually { try await notes.isRegistered("echoes") }
            try await notes.create(1...3)
            try await eventually { isSuspended.withLock { $0 } }
            // It does not renew its lease, and does not notice that it loses it.
            stopped.isStopped.withLock { $0 = true }
            group.addTask { try await prompt.run() }
            // The first run holds the lease.
            try await Task.sleep(for: .milliseconds(50))
            #expect(try await notes.echoes().isEmpty)
            clock.advance(seconds: 16)
            try await eventually { try await notes.echoes().count == 3 }
            isHeld.withLock { $0 = false }
            try await Task.sleep(for: .milliseconds(50))
            stopped.isStopped.withLock { $0 = false }
            try await notes.create(4...6)
            try await eventually { try await notes.echoes().count >= 6 }
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try await notes.echoes().sorted() == ["1@1", "2@1", "3@1", "4@1", "5@1", "6@1"])
    }

    @Test(arguments: FollowedStore.all.map(\.shared))
    func `a run that ends gives up its lease at once`(_ kind: FollowedStore) async throws {
        let clock = SetClock()
        let notes = try await FollowedNotes(kind, clock: clock.clock)
        for run in 1...3 {
            let followers = try notes.followers(.echoes())
            try await notes.run(followers) { try await notes.isHeld("echoes") }
            try await notes.create([run])
            try await notes.run(followers) { try await notes.echoes().count >= run }
        }
    }

    @Test func `a clock that was set back holds no follower up`() async throws {
        let clock = SetClock()
        let notes = try await FollowedNotes(FollowedStore.memory.shared, clock: clock.clock)
        let lease = try notes.followers(.echoes())
        try await notes.run(lease) { try await notes.isHeld("echoes") }
        // A killed process has not given its lease up.
        try await notes.hold("echoes")
        clock.advance(seconds: -86_400)
        try await notes.create([1])
        try await notes.run(lease) { try await notes.echoes() == ["1@1"] }
    }

    @Test func `a run reports each interruption by the store that follows some time of work`() async throws {
        let script = MemoryStore.Script()
        let kind = FollowedStore(name: "failing") { MemoryStore($0, journal: $2, script: script) }
        let notes = try await FollowedNotes(kind.shared)
        let interruptions = Mutex(0)
        // Its state does not change meanwhile.
        let work = try notes.recurring(
            .storing("daily", every: .day(at: 0, in: .gmt)) { _, _ in },
            report: { notice in if case .interrupted = notice { interruptions.withLock { $0 += 1 } } })
        let run = Task { try await work.run() }
        try await eventually { try await !work.recurringStates().isEmpty }
        for count in 1...2 {
            // The next renewal of the lease fails.
            try await eventually {
                let next = script.commits.count + 1
                script.failCommit(number: next, with: .unavailable(Unavailable(.unreachable, "no server")))
                return interruptions.withLock { $0 } == count
            }
            try await Task.sleep(for: FollowerParts.firstPause * 8)
        }
        run.cancel()
        try await run.value
    }
}
