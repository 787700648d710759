import LarderData
import LarderDomain
@testable import LarderHTTP
import LarderInfrastructure
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ChangeFeedTests {
    private static let schema = EntitySchema(name: "note", columns: [])

    @Test func `commits of a store are published in their order`() async throws {
        let store = MemoryStore(try SchemaSet([Self.schema]))
        let feed = await ChangeFeed(of: store, bounds: TestFeed.bounds)
        let subscription = try feed.subscribe()
        async let running: Void = feed.run()
        for number in 1...3 as ClosedRange<UInt64> {
            let note = StorageObject(schema: Self.schema, id: RawID(high: 0, low: number), values: [])
            _ = try await store.commit(ChangeSet(inserts: [note]))
        }
        #expect(await subscription.read(3) == ["commit 1", "commit 2", "commit 3"])
        store.close()
        #expect(await subscription.read(2) == ["shutdown 3"])
        _ = consume subscription
        try await running
        #expect(throws: FeedRefusal.ended) { try feed.subscribe() }
    }

    @Test func `a client that reconnects receives the missed events, also from a position that it never received`()
        async throws
    {
        let test = TestFeed()
        try await test.run {
            try await test.commitAndWait(1...5)
            #expect(try await test.feed.subscribe(after: "5f0c91ab5f0c91ab-3").read(2) == ["commit 4", "commit 5"])
            #expect(try await test.feed.subscribe(after: "5f0c91ab5f0c91ab-0").read(1) == ["commit 1"])
            let atEnd = try test.feed.subscribe(after: "5f0c91ab5f0c91ab-5")
            test.commit(6...6)
            #expect(await atEnd.read(1) == ["commit 6"])
        }
    }

    @Test(arguments: [
        ("0badcafe0badcafe-3", "other-lifetime"), ("5f0c91ab5f0c91ab-2", "gap"), ("5f0c91ab5f0c91ab-9", "unknown-id"),
        ("", "unknown-id"),
        ("5f0c91ab5f0c91ab-03", "unknown-id"), ("nonsense", "unknown-id"),
    ])
    func `a place that is not known begins with a reset`(id: String, reason: String) async throws {
        let test = TestFeed { $0.commits = 3 }
        try await test.run {
            try await test.commitAndWait(1...6)
            let subscription = try test.feed.subscribe(after: id)
            #expect(subscription.start == (reason == "gap" ? TestFeed.token(2) : nil))
            #expect(await subscription.read(1) == ["reset \(reason) 6"])
            test.commit(7...7)
            #expect(await subscription.read(1) == ["commit 7"])
        }
    }

    @Test func `a gap in the store's stream resets all subscribers, and later ones with an older token`()
        async throws
    {
        let test = TestFeed()
        try await test.run {
            let subscription = try test.feed.subscribe()
            try await test.commitAndWait(1...2)
            #expect(await subscription.read(2) == ["commit 1", "commit 2"])
            test.store.yield(.gap(TestFeed.token(3)))
            try await test.commitAndWait(4...4)
            #expect(await subscription.read(1) == ["reset gap 4"])
            #expect(try await test.feed.subscribe(after: "5f0c91ab5f0c91ab-1").read(1) == ["reset gap 4"])
            #expect(try await test.feed.subscribe(after: "5f0c91ab5f0c91ab-3").read(1) == ["commit 4"])
        }
    }

    @Test func `without a journal, a subscriber that the ring overtakes is reset`() async throws {
        let test = TestFeed { $0.commits = 2 }
        try await test.run {
            let slow = try test.feed.subscribe()
            try await test.commitAndWait(1...3)
            #expect(await slow.read(1) == ["reset gap 3"])
            try await test.commitAndWait(4...4)
            #expect(await slow.read(1) == ["commit 4"])
            try await test.commitAndWait(5...7)
            #expect(await slow.read(1) == ["reset gap 7"])
        }
    }

    @Test func `a change that a subscriber may not see moves its position without an event`() async throws {
        let test = TestFeed()
        try await test.run {
            let subscription = try test.feed.subscribe { $0.filtered { $0.version == 3 } }
            async let commit = subscription.read(1)
            try await test.commitAndWait(1...5)
            #expect(await commit == ["commit 3"])
            async let heartbeat = subscription.read(1)
            // It waits after the later changes, which it does not see.
            try await test.untilWaiting(1)
            test.feed.look(at: .now, beats: true)
            #expect(await heartbeat == ["heartbeat 5"])
        }
    }

    @Test func `a removal is sent to callers who may see any entity of its kind, in one event`() async throws {
        let test = TestFeed()
        let link = LinkRelationship(name: "notes", target: "note", onDelete: .remove)
        let book = EntitySchema(name: "book", columns: [], links: [link])
        try await test.run {
            let (all, none) = (
                try test.feed.subscribe { $0.filtered({ _ in false }, stale: { _ in true }) },
                try test.feed.subscribe { $0.filtered({ _ in false }, stale: { $0 != "book" }) }
            )
            let removals = [1, 2].map { ReferenceRemoval(of: RawID(high: 0, low: $0), from: book.references[0]) }
            let commit = CommittedChanges(
                token: TestFeed.token(1), id: CommitID(), entries: [], removals: removals.map(\.removedReference),
                bulk: CommittedBulkUpdate(of: "book", count: 3))
            test.store.yield(.commit(commit))
            guard let event = await all.next() else { return #expect(Bool(false), "nothing was told") }
            #expect(event == .commit(commit, commit.token))
            let text = ServerSentEvent(event, names: ["book": "volume"]).encoded
            #expect(text == "event: change\nid: 5f0c91ab5f0c91ab-1\ndata: {\"changes\":[],\"stale\":[\"volume\"]}\n\n")
            async let read = none.read(1)
            try await test.untilWaiting(1)
            test.feed.look(at: .now, beats: true)
            #expect(await read == ["heartbeat 1"])
        }
    }

    @Test func `more changes than an event carries are a reset, counted after the filter`() async throws {
        let test = TestFeed { $0.changesPerEvent = 3 }
        try await test.run {
            let (all, few) = (
                try test.feed.subscribe(), try test.feed.subscribe { $0.filtered { $0.reference.id.low <= 3 } }
            )
            test.store.yield(.commit(TestFeed.commit(1, changes: 4)))
            test.commit(2...2)
            #expect(await all.read(2) == ["reset bulk 1", "commit 2"])
            #expect(await few.read(2) == ["commit 1", "commit 2"])
        }
    }
}
