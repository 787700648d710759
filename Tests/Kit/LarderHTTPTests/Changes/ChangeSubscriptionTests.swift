import LarderApp
import LarderData
import LarderDomain
@testable import LarderHTTP
import NIOCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ChangeSubscriptionTests {
    @Test func `cancelling a waiting task ends it and frees its place`() async throws {
        let test = TestFeed()
        try await test.run {
            for _ in 1...50 {
                let waiting = Task { [subscription = try test.feed.subscribe()] in await subscription.next() }
                await Task.yield()
                waiting.cancel()
                #expect(await waiting.value == nil)
            }
            try await until { test.feed.subscriberCount == 0 }
        }
    }

    @Test func `subscribers are bounded, and a place given back is free`() throws {
        let test = TestFeed { $0.subscribers = 2 }
        let first = try test.feed.subscribe()
        do {
            let second = try test.feed.subscribe()
            #expect(throws: FeedRefusal.tooManySubscribers(.anonymous)) { try test.feed.subscribe() }
            withExtendedLifetime(second) {}
        }
        _ = try test.feed.subscribe()
        withExtendedLifetime(first) {}
    }

    @Test func `waiting and lagging subscribers receive the end, as the last element`() async throws {
        let test = TestFeed()
        try await test.run {
            let (waiting, behind) = (try test.feed.subscribe(), try test.feed.subscribe())
            async let read = waiting.read(3)
            try await test.commitAndWait(1...1)
            test.store.finish()
            #expect(await read == ["commit 1", "shutdown 1"])
            #expect(await behind.read(3) == ["commit 1", "shutdown 1"])
        }
    }

    @Test func `one subscriber can end alone`() async throws {
        let test = TestFeed()
        try await test.run {
            let subscription = try test.feed.subscribe()
            async let read = subscription.read(2)
            try await test.untilWaiting(1)
            subscription.end()
            #expect(await read == ["shutdown 0"])
        }
    }

    @Test func `a subscriber that does not request the next event in time is dropped, and others are not`() async throws
    {
        let test = TestFeed { $0.patience = .seconds(7_200) }
        try await test.run {
            let (slow, good) = (try test.feed.subscribe(), try test.feed.subscribe())
            let (dropped, drop) = AsyncStream<Never>.makeStream()
            slow.onDrop { drop.finish() }
            async let events = good.read(3)
            try await test.commitAndWait(1...1)
            #expect(await slow.read(1) == ["commit 1"])
            try await test.untilWaiting(1)
            test.feed.look(at: .now, beats: false)
            #expect(test.feed.droppedCount == 0)
            test.feed.look(at: .now + .seconds(7_201), beats: false)
            for await _ in dropped {}
            #expect(await slow.next() == nil)
            #expect(test.feed.droppedCount == 1)
            test.commit(2...3)
            #expect(await events == ["commit 1", "commit 2", "commit 3"])
        }
    }

    @Test func `late subscribers are looked for repeatedly, also without commits`() async throws {
        let test = TestFeed { $0.patience = .milliseconds(4) }
        try await test.run {
            let slow = try test.feed.subscribe()
            try await until { test.feed.droppedCount == 1 }
            #expect(await slow.next() == nil)
        }
    }

    @Test func `a waiting subscriber receives a heartbeat`() async throws {
        let test = TestFeed { $0.heartbeat = .milliseconds(4) }
        try await test.run {
            let subscription = try test.feed.subscribe()
            #expect(await subscription.read(3) == ["heartbeat 0", "heartbeat 0", "heartbeat 0"])
        }
    }

    @Test func `the end waits no longer than its limit`() async throws {
        let test = TestFeed { $0.lastPatience = .milliseconds(40) }
        let never = try test.feed.subscribe()
        try await test.run {}
        #expect(await never.next() == nil)
        #expect(test.feed.droppedCount == 1)
    }

    @Test func `the cost of 500 subscribers does not grow with the commits`() async throws {
        let test = TestFeed { $0.commits = 16 }
        try await test.run {
            let idle = try (0..<500).map { _ in try test.feed.subscribe() }
            try await test.commitAndWait(1...2000)
            test.feed.state.withLock { state in
                #expect(state.ring.count == 16)
                #expect(state.ring.changes == 16)
                #expect(state.subscribers.values.filter { $0.position == 0 }.count == 500)
            }
            #expect(MemoryLayout<FeedState.Subscriber>.stride <= 128)
            let told = await withTaskGroup { group in
                for subscription in idle { group.addTask { await subscription.read(1) } }
                return await group.reduce(into: Set<[String]>()) { $0.insert($1) }
            }
            #expect(told == [["reset gap 2000"]])
            for subscription in idle { subscription.end() }
            for subscription in idle { #expect(await subscription.read(2) == ["shutdown 2000"]) }
        }
    }

    @Test func `anonymous subscribers leave places to known ones, and one caller leaves places to others`() throws {
        let test = TestFeed { ($0.subscribers, $0.subscribersPerCaller, $0.anonymousSubscribers) = (6, 2, 3) }
        let anonymous = try (0..<3).map { _ in try test.feed.subscribe() }
        #expect(throws: FeedRefusal.tooManySubscribers(.anonymous)) { try test.feed.subscribe() }
        let ann = try (0..<2).map { _ in try test.feed.subscribe(for: "ann") }
        #expect(throws: FeedRefusal.tooManySubscribers(.caller)) { try test.feed.subscribe(for: "ann") }
        let bob = try test.feed.subscribe(for: "bob")
        #expect(throws: FeedRefusal.tooManySubscribers(.process)) { try test.feed.subscribe(for: "bob") }
        withExtendedLifetime((anonymous, ann, bob)) {}
    }

    @Test func `a subscription ends with its lifetime, and its client resumes after the last event`() async throws {
        let test = TestFeed { $0.lifetime = .seconds(7_200) }
        try await test.run {
            let first = try test.feed.subscribe()
            async let read = first.read(10)
            try await test.commitAndWait(1...1)
            try await test.untilWaiting(1)
            test.feed.look(at: .now + .seconds(6_000), beats: false)
            try await test.untilWaiting(1)
            test.feed.look(at: .now + .seconds(7_201), beats: false)
            #expect(await read == ["commit 1"])
            try await test.commitAndWait(2...2)
            #expect(try await test.feed.subscribe(after: TestFeed.token(1).description).read(1) == ["commit 2"])
            #expect(test.feed.droppedCount == 0)
        }
    }

    @Test func `waiting subscribers are resumed in batches, each once for all events since it waits`() async throws {
        // The feed does not run, so nothing resumes the subscribers but this test.
        let test = TestFeed()
        let subscriptions = try (0..<100).map { _ in try test.feed.subscribe() }
        try await withThrowingTaskGroup { group in
            for subscription in subscriptions { group.addTask { await subscription.read(3) } }
            try await test.untilWaiting(100)
            let none = test.feed.state.withLock { $0.takeBatch() }
            #expect(none.isEmpty)
            test.feed.state.withLock { state in
                for position in Int64(1)...3 { state.ring.append(TestFeed.commit(position)) }
                state.round += 1
            }
            var sizes: [Int] = []
            while let batch = Optional(test.feed.state.withLock({ $0.takeBatch() })), !batch.isEmpty {
                sizes.append(batch.count)
                for turn in batch { turn.resume() }
            }
            #expect(sizes == [32, 32, 32, 4])
            for try await read in group { #expect(read == ["commit 1", "commit 2", "commit 3"]) }
        }
    }

    @Test func `an event is encoded once for 500 subscribers, also if they may see different parts of others`()
        async throws
    {
        let test = TestFeed { $0.anonymousSubscribers = 1000 }
        let anonymous = ChangeAudience()
        try await test.run {
            let subscriptions = try (0..<500).map { number in
                try test.feed.subscribe(
                    as: number < 400
                        ? anonymous : ChangeAudience(sharing: anonymous) { $0.filtered { $0.version > 100 } })
            }
            try await withThrowingTaskGroup { group in
                for (number, subscription) in subscriptions.enumerated() {
                    group.addTask {
                        var text = ""
                        while !text.contains("-300\n"), let next = await subscription.nextText() {
                            text += String(buffer: next.text)
                        }
                        let count = text.split(separator: "event: change\n").count
                        #expect(count == (number < 400 ? 300 : 200))
                    }
                }
                try await test.untilWaiting(500)
                try await test.commitAndWait(1...300)
                try await group.waitForAll()
            }
        }
        // A few tasks may encode an event at the same time, but not 500.
        #expect((300...10_000).contains(anonymous.encodedCount))
    }
}
