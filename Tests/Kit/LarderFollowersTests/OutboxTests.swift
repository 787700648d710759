import LarderData
import LarderDomain
import LarderFollowers
import Synchronization
import Testing

@Suite("An outbox")
struct OutboxTests {
    private struct Failure: Error {}

    /// Creates notes, each with its event.
    private func take(_ numbers: some Sequence<Int>, in notes: FollowedNotes) async throws {
        for number in numbers {
            try await notes.manager.transaction { unit in
                try await unit.create(Note(number))
                try await unit.create(NoteTaken(Note(number), "taken \(number)"))
            }
        }
    }

    private func events(_ notes: FollowedNotes) async throws -> [NoteTaken] {
        try await notes.manager.read(Query<NoteTaken>()).items.map(\.entity)
    }

    @Test(arguments: FollowedStore.all)
    func `delivers the events of stored commits, in their order, and deletes them`(_ kind: FollowedStore) async throws {
        let notes = try await FollowedNotes(kind)
        let delivered = Mutex<[NoteTaken]>([])
        let followers = try notes.followers(
            .outbox("mail", [Delivery(of: NoteTaken.self) { event in delivered.withLock { $0.append(event) } }]))
        // Recorded before the first start.
        try await take([1], in: notes)
        var recorded = try await events(notes)
        try await notes.run(followers) { try await notes.position("mail") != nil }
        await #expect(throws: Failure.self) {
            try await notes.manager.transaction { unit in
                try await unit.create(NoteTaken(Note(0), "discarded"))
                throw Failure()
            }
        }
        try await take(2...30, in: notes)
        recorded += try await events(notes)
        try await notes.run(followers) { try await events(notes).isEmpty }
        #expect(delivered.withLock { $0 } == recorded && recorded.count == 30)
    }

    @Test(arguments: FollowedStore.all)
    func `keeps what it cannot deliver until it can`(_ kind: FollowedStore) async throws {
        let notes = try await FollowedNotes(kind)
        let isBroken = Mutex(true)
        let calls = Mutex<[String]>([])
        let outbox = Follower.outbox(
            "mail",
            [
                Delivery(of: NoteTaken.self) { event in
                    calls.withLock { $0.append(event.text) }
                    if event.text == "taken 2", isBroken.withLock({ $0 }) { throw Failure() }
                }
            ]
        ).with { $0.policy.attempts = 2 }
        let followers = try notes.followers(outbox)
        try await notes.run(followers) { try await notes.position("mail") != nil }
        try await take(1...3, in: notes)
        // The second one was set aside before.
        try await notes.run(followers) { try await events(notes).count == 1 }
        #expect(calls.withLock { $0 } == ["taken 1", "taken 2", "taken 2", "taken 3"])
        #expect(try await followers.statuses()[0].setAside == 1)
        #expect(try await events(notes).map(\.text) == ["taken 2"])
        isBroken.withLock { $0 = false }
        #expect(try await followers.retry("mail") == 1)
        #expect(try await events(notes).isEmpty)
    }

    @Test(arguments: FollowedStore.all)
    func `delivers no later event before one that fails at the first start`(_ kind: FollowedStore) async throws {
        let notes = try await FollowedNotes(kind)
        let calls = Mutex<[String]>([])
        let outbox = Follower.outbox(
            "mail",
            [
                Delivery(of: NoteTaken.self) { event in
                    let count = calls.withLock { calls in
                        calls.append(event.text)
                        return calls.count
                    }
                    if event.text == "taken 2", count < 4 { throw Failure() }
                }
            ])
        try await take(1...3, in: notes)
        try await notes.run(try notes.followers(outbox)) { try await events(notes).isEmpty }
        #expect(calls.withLock { $0 } == ["taken 1", "taken 2", "taken 2", "taken 2", "taken 3"])
    }

    @Test(arguments: FollowedStore.all)
    func `delivers what the journal does not have any more, and further types`(_ kind: FollowedStore) async throws {
        let notes = try await FollowedNotes(kind, journal: JournalBounds(changes: 10, unread: 20))
        let count = Mutex(0)
        let taken = Delivery(of: NoteTaken.self) { _ in count.withLock { $0 += 1 } }
        let followers = try notes.followers(.outbox("mail", [taken]))
        try await notes.run(followers) { try await notes.position("mail") != nil }
        try await take(1...600, in: notes)
        try await notes.manager.create(NoteLost(id: EntityID(NoteTaken.ids.next())))
        try await notes.run(followers) { try await events(notes).isEmpty }
        #expect(count.withLock { $0 } == 600)
        let lost = Delivery(of: NoteLost.self) { _ in count.withLock { $0 += 1000 } }
        try await notes.run(try notes.followers(.outbox("mail", [taken, lost]))) { count.withLock { $0 } == 1600 }
    }

    @Test func `counts an event that another process has delivered meanwhile as delivered`() async throws {
        let notes = try await FollowedNotes(.memory)
        let notices = Mutex<[String]>([])
        let outbox = Follower.outbox(
            "mail", [Delivery(of: NoteTaken.self) { event in try await notes.manager.delete(event.id) }])
        let followers = try notes.followers(outbox, report: { notice in notices.withLock { $0.append(notice.kind) } })
        // One is delivered at the first start, and one after its commit.
        try await take([1], in: notes)
        try await notes.run(followers) { try await notes.position("mail") != nil }
        try await take([2], in: notes)
        try await notes.run(followers) { notices.withLock { !$0.isEmpty } }
        #expect(notices.withLock { $0.allSatisfy { $0 == "handled" } })
    }
}
