import LarderData
import LarderDomain
import LarderFollowers
import Synchronization
import Testing

@Suite("A follower whose handler fails")
struct FollowerFailureTests {
    private struct Failure: Error, CustomStringConvertible {
        let description = "the post office is closed"
    }

    @Test(arguments: FollowedStore.all)
    func `sets a commit aside after the last attempt, and an operator retries it`(_ kind: FollowedStore) async throws {
        let notes = try await FollowedNotes(kind)
        let isBroken = Mutex(true)
        let attempts = Mutex(0)
        let notices = Mutex<[String]>([])
        let followers = try notes.followers(
            Follower.echoes { changes in
                guard changes.entries.contains(where: { $0.reference.id.low == 3 }) else { return }
                attempts.withLock { $0 += 1 }
                if isBroken.withLock({ $0 }) { throw Failure() }
            }.with { $0.policy.attempts = 4 }, report: { notice in notices.withLock { $0.append(notice.kind) } })
        try await notes.run(followers) { try await notes.isRegistered("echoes") }
        try await notes.create(1...5)
        try await notes.run(followers) { try await notes.echoes().count >= 4 }
        #expect(try await notes.echoes().sorted() == ["1@1", "2@1", "4@1", "5@1"])
        // One more for the batch with the commits before it.
        #expect((4...5).contains(attempts.withLock { $0 }))
        #expect(notices.withLock { $0 }.filter { $0 != "handled" } == ["failed", "setAside"])
        let aside = try await followers.setAside("echoes")
        #expect(aside.map(\.failure) == ["the post office is closed"])
        #expect(try await followers.statuses().map(\.setAside) == [1])
        await #expect(throws: Failure.self) { try await followers.retry("echoes") }
        #expect(try await followers.setAside("echoes").count == 1)
        isBroken.withLock { $0 = false }
        #expect(try await followers.retry("echoes") == 1)
        #expect(try await followers.retry("echoes") == 0)
        #expect(try await notes.echoes().sorted() == ["1@1", "2@1", "3@1", "4@1", "5@1"])
        #expect(try await followers.statuses().map(\.setAside) == [0])
    }

    @Test(arguments: FollowedStore.all)
    func `stops after the last attempt, and continues after a retry or a skip`(_ kind: FollowedStore) async throws {
        let notes = try await FollowedNotes(kind)
        let isBroken = Mutex(true)
        let followers = try notes.followers(
            Follower.echoes { changes in
                if isBroken.withLock({ $0 }), changes.entries.contains(where: { $0.reference.id.low % 3 == 0 }) {
                    throw Failure()
                }
            }.with { ($0.policy.attempts, $0.policy.lastFailure) = (2, .stop) })
        try await notes.run(followers) { try await notes.isRegistered("echoes") }
        #expect(try await !followers.skip("echoes"))
        try await notes.create(1...7)
        try await notes.run(followers) { try await followers.statuses()[0].isStopped }
        let status = try await followers.statuses()[0]
        #expect(status.failure == "the post office is closed" && status.lag == 5)
        #expect(try #require(status.oldest) <= .now())
        #expect(try await notes.echoes() == ["1@1", "2@1"])
        #expect(try await followers.skip("echoes"))
        try await notes.run(followers) { try await followers.statuses()[0].isStopped }
        #expect(try await notes.echoes() == ["1@1", "2@1", "4@1", "5@1"])
        isBroken.withLock { $0 = false }
        try await followers.retry("echoes")
        try await notes.run(followers) { try await notes.echoes().count == 6 }
        #expect(try await notes.echoes() == ["1@1", "2@1", "4@1", "5@1", "6@1", "7@1"])
        let healthy = try await followers.statuses()[0]
        #expect(healthy.failure == nil && healthy.lag == 0 && healthy.oldest == nil && healthy.hasHandler)
    }

    @Test(arguments: FollowedStore.all)
    func `outside of the store repeats only the commits after the last success`(_ kind: FollowedStore) async throws {
        let notes = try await FollowedNotes(kind)
        let calls = Mutex<[UInt64]>([])
        let followers = try notes.followers(
            Follower.calling("calls", changesOf: ["note"]) { changes, _ in
                let number = changes.entries[0].reference.id.low
                let earlier = calls.withLock { calls in
                    defer { calls.append(number) }
                    return calls.count { $0 == number }
                }
                if number % 2 == 0, earlier == 0 { throw Failure() }
            })
        try await notes.run(followers) { try await notes.isRegistered("calls") }
        try await notes.create(1...4)
        try await notes.run(followers) { calls.withLock { $0.last == 4 && $0.count >= 6 } }
        #expect(calls.withLock { $0 } == [1, 2, 2, 3, 4, 4])
    }

    @Test func `stores the start of any error`() async throws {
        struct LongFailure: Error, CustomStringConvertible {
            let description = String(repeating: "é\0", count: 5000)
        }
        let notes = try await FollowedNotes(.memory)
        let followers = try notes.followers(
            Follower.echoes { _ in throw LongFailure() }.with { $0.policy.attempts = 2 })
        try await notes.run(followers) { try await notes.isRegistered("echoes") }
        try await notes.create([1])
        try await notes.run(followers) { try await followers.statuses()[0].setAside == 1 }
        #expect(try await followers.setAside("echoes").map(\.failure) == [String(repeating: "é", count: 1000)])
    }

    @Test func `refuses names and entities that contradict each other`() async throws {
        let notes = try await FollowedNotes(.memory)
        #expect(throws: FollowerError.repeatedName("a")) { try notes.followers(.echoes("a"), .echoes("a")) }
        let followers = try notes.followers(.echoes())
        try await notes.run(followers) { try await notes.isRegistered("echoes") }
        let others = try notes.followers(.storing("echoes", changesOf: ["echo", "note"]) { _, _ in })
        await #expect(
            throws: FollowerError.otherEntities(name: "echoes", stored: ["note"], declared: ["echo", "note"])
        ) { try await others.run() }
        let unknown = FollowerError.unknown("none", known: ["echoes"])
        await #expect(throws: unknown) { try await followers.retry("none") }
        await #expect(throws: unknown) { try await followers.skip("none") }
        await #expect(throws: unknown) { try await followers.reset("none") }
        await #expect(throws: unknown) { try await followers.setAside("none") }
        let none = try notes.followers()
        await #expect(throws: FollowerError.noHandler("echoes")) { try await none.retry("echoes") }
        #expect(try await none.statuses().map(\.hasHandler) == [false])
    }
}

extension FollowerNotice {
    var kind: String { String("\(self)".prefix { $0 != "(" }) }
}
