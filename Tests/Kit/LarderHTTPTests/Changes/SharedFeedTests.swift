import LarderDomain
@testable import LarderHTTP
import Testing

/// The feed of a store that other processes write: a client may know positions that the feed has not read yet.
@Suite(.timeLimit(.minutes(5)))
struct SharedFeedTests {
    private func feed(
        endingAt end: ChangeToken?
    ) -> (feed: ChangeFeed, commits: AsyncStream<ChangeEvent>.Continuation) {
        let (stream, commits) = AsyncStream.makeStream(of: ChangeEvent.self)
        let feed = ChangeFeed(of: stream, after: TestFeed.token(5), bounds: TestFeed.bounds, end: { end })
        return (feed, commits)
    }

    @Test func `a client resumes after a position that the feed has not read yet`() async throws {
        let (feed, commits) = feed(endingAt: TestFeed.token(20))
        async let running: Void = feed.run()
        let read = Task {
            let client = try feed.subscribe(after: TestFeed.token(20).description)
            #expect(client.start == TestFeed.token(20))
            return await client.read(2)
        }
        try await until { feed.subscriberCount == 1 }
        for position in [10, 20, 30, 45] as [Int64] { commits.yield(.commit(TestFeed.commit(position))) }
        #expect(try await read.value == ["commit 30", "commit 45"])
        commits.finish()
        try await running
    }

    @Test func `a position that the store has not committed is unknown`() async throws {
        for end in [TestFeed.token(20), ChangeToken(lifetime: 1, position: 99), nil] {
            let (feed, commits) = feed(endingAt: end)
            async let running: Void = feed.run()
            #expect(try await feed.subscribe(after: TestFeed.token(21).description).read(1) == ["reset unknown-id 5"])
            commits.finish()
            try await running
        }
    }
}
