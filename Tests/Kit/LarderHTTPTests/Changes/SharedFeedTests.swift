import LarderDomain
@testable import LarderHTTP
import Synchronization
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
        for end in [TestFeed.token(20), ChangeToken(lifetime: 1, position: 99)] {
            let (feed, commits) = feed(endingAt: end)
            async let running: Void = feed.run()
            #expect(try await feed.subscribe(after: TestFeed.token(21).description).read(1) == ["reset unknown-id 5"])
            commits.finish()
            try await running
        }
    }

    @Test func `a client keeps its position while the store cannot be asked for it`() async throws {
        let (stream, commits) = AsyncStream.makeStream(of: ChangeEvent.self)
        let end = Mutex<(calls: Int, token: ChangeToken?)>((0, nil))
        let feed = ChangeFeed(
            of: stream, after: TestFeed.token(5), bounds: TestFeed.bounds,
            end: {
                end.withLock { end in
                    end.calls += 1
                    return end.token
                }
            })
        async let running: Void = feed.run()
        let read = Task { try await feed.subscribe(after: TestFeed.token(20).description).read(1) }
        try await until { end.withLock(\.calls) >= 2 }
        end.withLock { $0.token = TestFeed.token(25) }
        for position in [20, 25] as [Int64] { commits.yield(.commit(TestFeed.commit(position))) }
        #expect(try await read.value == ["commit 25"])
        commits.finish()
        try await running
    }

    @Test func `a client whose position cannot be confirmed before the end of the feed resumes elsewhere`() async throws
    {
        let (feed, commits) = feed(endingAt: nil)
        async let running: Void = feed.run()
        let read = Task { try await feed.subscribe(after: TestFeed.token(20).description).read(1) }
        try await until { feed.subscriberCount == 1 }
        commits.finish()
        #expect(try await read.value == [])
        try await running
    }

    @Test func `a feed whose store cannot be used any more ends with the error`() async throws {
        let (stream, commits) = AsyncStream.makeStream(of: ChangeEvent.self)
        let error = PersistencyError.unavailable(Unavailable(.failed, "a restore has replaced the store"))
        let feed = ChangeFeed(of: stream, after: TestFeed.token(5), bounds: TestFeed.bounds, check: { throw error })
        commits.finish()
        await #expect(throws: PersistencyError.self) { try await feed.run() }
    }
}
