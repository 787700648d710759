import LarderData
import LarderDomain
@testable import LarderHTTP
import LarderInfrastructure
import Synchronization
import Testing

/// Subscribers that read commits from the store's journal.
@Suite(.timeLimit(.minutes(5)))
struct ChangeJournalTests {
    private static let schema = EntitySchema(name: "note", columns: [])

    private func commits(_ positions: ClosedRange<Int64>) -> [String] { positions.map { "commit \($0)" } }

    private func write(_ numbers: ClosedRange<UInt64>, to store: MemoryStore) async throws {
        for number in numbers {
            let note = StorageObject(schema: Self.schema, id: RawID(high: 0, low: number), values: [])
            _ = try await store.commit(ChangeSet(inserts: [note]))
        }
    }

    @Test func `a client resumes after a restart, where it was before`() async throws {
        let store = MemoryStore(try SchemaSet([Self.schema]))
        try await write(1...5, to: store)
        let feed = await ChangeFeed(of: store, bounds: TestFeed.bounds)
        async let running: Void = feed.run()
        let lifetime = try await store.commit(ChangeSet()).token.lifetime
        for position in Int64(0)...4 {
            let client = try feed.subscribe(after: ChangeToken(lifetime: lifetime, position: position).description)
            #expect(client.start == ChangeToken(lifetime: lifetime, position: position))
            #expect(await client.read(Int(5 - position)) == commits(position + 1...5))
        }
        store.close()
        try await running
    }

    @Test func `each client gets each commit once, in order, while others are written`() async throws {
        let store = MemoryStore(try SchemaSet([Self.schema]))
        var bounds = TestFeed.bounds
        bounds.commits = 8
        let feed = await ChangeFeed(of: store, bounds: bounds)
        async let running: Void = feed.run()
        try await write(1...600, to: store)
        let lifetime = try await store.commit(ChangeSet()).token.lifetime
        try await until { feed.lastSequence == 600 }
        try await withThrowingTaskGroup { group in
            for position in [0, 1, 255, 256, 257, 599, 600] as [Int64] {
                let client = try feed.subscribe(after: ChangeToken(lifetime: lifetime, position: position).description)
                group.addTask {
                    let isComplete = await client.read(Int(1200 - position)) == commits(position + 1...1200)
                    #expect(isComplete)
                }
            }
            group.addTask { try await write(601...1200, to: store) }
            try await group.waitForAll()
        }
        store.close()
        try await running
    }

    @Test func `a subscriber that the ring overtakes reads the journal, and continues in the ring`() async throws {
        let test = TestFeed(journal: JournalBounds()) { $0.commits = 2 }
        try await test.run {
            let slow = try test.feed.subscribe()
            try await test.commitAndWait(1...700)
            #expect(await slow.read(699) == commits(1...699))
            try await test.commitAndWait(701...702)
            #expect(await slow.read(3) == commits(700...702))
            async let next = slow.read(1)
            try await test.untilWaiting(1)
            test.commit(703...703)
            #expect(await next == commits(703...703))
        }
    }

    @Test func `commits that the journal has dropped are a reset, and the stream continues`() async throws {
        let test = TestFeed(journal: JournalBounds(changes: 4)) { $0.commits = 2 }
        try await test.run {
            try await test.commitAndWait(1...10)
            let (behind, older) = (
                try test.feed.subscribe(after: "5f0c91ab5f0c91ab-6"),
                try test.feed.subscribe(after: "5f0c91ab5f0c91ab-2")
            )
            #expect(older.start == TestFeed.token(2))
            #expect(await behind.read(4) == commits(7...10))
            #expect(await older.read(5) == ["reset gap 6"] + commits(7...10))
        }
    }

    @Test func `a page of a subscriber has few changes, or one commit`() async throws {
        let test = TestFeed(journal: JournalBounds()) { $0.commits = 1 }
        try await test.run {
            for position in Int64(1)...60 {
                test.commit(TestFeed.commit(position, changes: position % 20 == 0 ? 400 : 10))
            }
            try await test.commitAndWait(61...61)
            let client = try test.feed.subscribe(after: "5f0c91ab5f0c91ab-0")
            for position in Int64(1)...61 {
                #expect(await client.read(1) == ["\(position % 20 == 0 ? "reset bulk" : "commit") \(position)"])
                let page = test.feed.state.withLock { $0.subscribers.values.flatMap(\.page) }
                #expect(page.count <= 25)
                #expect(page.count == 0 || page.allSatisfy { $0.token.position % 20 != 0 })
            }
        }
    }

    @Test func `a subscriber that reads the journal gets heartbeats, and is dropped if it is late`() async throws {
        let test = TestFeed(journal: JournalBounds()) {
            $0.commits = 1
            $0.patience = .seconds(7_200)
        }
        try await test.run {
            try await test.commitAndWait(1...600)
            let client = try test.feed.subscribe(after: "5f0c91ab5f0c91ab-0") {
                $0.filtered { $0.version > 300 }
            }
            #expect(await client.read(2) == commits(301...302))
            test.feed.look(at: .now, beats: true)
            #expect(await client.read(2) == ["heartbeat 302", "commit 303"])
            test.feed.look(at: .now + .seconds(7_201), beats: false)
            #expect(test.feed.droppedCount == 1)
            #expect(await client.next() == nil)
        }
    }

    @Test func `at the end, a lagging subscriber receives its position, from which it resumes`() async throws {
        let test = TestFeed(journal: JournalBounds()) { $0.commits = 1 }
        try await test.run {
            try await test.commitAndWait(1...600)
            let client = try test.feed.subscribe(after: "5f0c91ab5f0c91ab-0")
            #expect(await client.read(1) == ["commit 1"])
            client.end()
            // The changes that were read before the end.
            #expect(await client.read(1000) == commits(2...256) + ["shutdown 256"])
        }
    }

    @Test func `a subscriber ends if the store cannot be read, because it is closed`() async throws {
        let feed = ChangeFeed(of: AsyncStream { _ in }, after: TestFeed.token(5)) { _ in AsyncStream { $0.finish() } }
        let behind = try feed.subscribe(after: "5f0c91ab5f0c91ab-1")
        #expect(await behind.read(2) == ["shutdown 1"])
        let store = MemoryStore(try SchemaSet([Self.schema]))
        store.close()
        let closed = await ChangeFeed(of: store)
        try await closed.run()
        #expect(throws: FeedRefusal.ended) { try closed.subscribe() }
    }
}
