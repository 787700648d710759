import LarderData
import LarderDomain
import NIOHTTP1
import Testing

@testable import LarderApp
@testable import LarderHTTP

/// A feed over connections, with a real client.
@Suite(.timeLimit(.minutes(5)))
struct ChangeSocketTests {
    @Test func `events arrive in their order, and a reconnected client continues where it was`() async throws {
        try await FeedServer.run { server in
            try await EventClient.connect(to: server.port) { client in
                let head = try await client.head()
                #expect(head?.status == .ok)
                #expect(head?.headers["Content-Type"] == ["text/event-stream"])
                #expect(head?.headers["Cache-Control"] == ["no-store"])
                let hello = try await client.read(1)
                #expect(hello == ["hello 0"])
                server.test.commit(1...3)
                let read = try await client.read(3)
                #expect(read == ["change 1", "change 2", "change 3"])
            }
            try await server.test.commitAndWait(4...5)
            try await EventClient.connect(to: server.port, after: "5f0c91ab5f0c91ab-2") { client in
                let read = try await client.read(4)
                #expect(read == ["hello 2", "change 3", "change 4", "change 5"])
            }
            try await EventClient.connect(to: server.port, after: "0badcafe0badcafe-2") { client in
                let read = try await client.read(2)
                // If a position preceded the reset, a client could resume there and miss the gap.
                #expect(read == ["hello ?", "reset 5"])
            }
        }
    }

    @Test func `a HEAD gets the head, and takes no place`() async throws {
        let test = TestFeed { $0.subscribers = 0 }
        try await FeedServer.run(test) { server in
            try await EventClient.connect(to: server.port, .HEAD) { client in
                let head = try await client.head()
                #expect(head?.status == .ok)
                #expect(head?.headers["Content-Type"] == ["text/event-stream"])
            }
        }
    }

    @Test func `a client that disconnects frees its place, also without a commit`() async throws {
        try await FeedServer.run { server in
            for _ in 1...20 {
                try await EventClient.connect(to: server.port) { client in
                    _ = try await client.read(1)
                    #expect(server.feed.subscriberCount == 1)
                }
                try await until { server.feed.subscriberCount == 0 && server.connections.count == 0 }
            }
            #expect(server.feed.droppedCount == 0)
        }
    }

    @Test func `a client that does not read is dropped when its time is over, and others go on`() async throws {
        let test = TestFeed { $0.patience = .seconds(600) }
        try await FeedServer.run(test, sendBuffer: 4096) { server in
            try await EventClient.connect(to: server.port, receiveBuffer: 4096) { slow in
                let hello = try await slow.read(1)
                #expect(hello == ["hello 0"])
                try await EventClient.connect(to: server.port) { good in
                    _ = try await good.read(1)
                    // More than the capacity of all buffers between server and client.
                    for sequence in 1...100 as ClosedRange<Int64> {
                        test.store.yield(.commit(TestFeed.commit(sequence, changes: 100)))
                    }
                    let read = try await good.read(100)
                    #expect(read == (1...100).map { "change \($0)" })
                    try await test.untilWaiting(1)
                    #expect(server.feed.subscriberCount == 2)
                    server.feed.look(at: .now + .seconds(601), beats: false)
                    #expect(server.feed.droppedCount == 1)
                    try await until { server.feed.subscriberCount == 1 && server.connections.count == 1 }
                    test.commit(101...101)
                    let next = try await good.read(1)
                    #expect(next == ["change 101"])
                }
                let rest = (try? await slow.read(200)) ?? []
                #expect(rest.count < 100)
                #expect(!slow.isComplete)
            }
        }
    }

    @Test func `when the server ends, each stream receives an end event, and the server waits for them`() async throws {
        try await FeedServer.run { server in
            try await EventClient.connect(to: server.port) { client in
                _ = try await client.read(1)
                try await server.test.commitAndWait(1...1)
                await server.stop()
                let read = try await client.read(3)
                #expect(read == ["change 1", "shutdown 1"])
                #expect(client.isComplete)
            }
            #expect(server.feed.droppedCount == 0)
        }
    }

    @Test func `a subscriber without permission receives no more events, and is disconnected`() async throws {
        try await FeedServer.run { server in
            try await EventClient.connect(to: server.port) { client in
                _ = try await client.read(1)
                try await server.test.untilWaiting(1)
                server.feed.look(at: .now, beats: true)
                let first = try await client.read(1)
                #expect(first == ["heartbeat 0"])
                try await server.test.untilWaiting(1)
                server.access.revoke()
                server.feed.look(at: .now, beats: true)
                server.test.commit(1...1)
                let read = try await client.read(2)
                #expect(read == [])
                #expect(client.isComplete)
                try await until { server.connections.count == 0 && server.feed.subscriberCount == 0 }
            }
        }
    }
}
