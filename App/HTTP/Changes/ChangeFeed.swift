internal import LarderApp
public import LarderData
public import LarderDomain
public import ServiceLifecycle
internal import Synchronization

/// Broadcasts the committed changes of a store to any number of subscribers.
///
/// A subscriber is a position in the store's commits, named by a `ChangeToken`. The feed has the last commits in a ring
/// buffer. A subscriber that is further behind, such as a client that resumes after hours or after a restart of the
/// server, reads the commits from the store's journal until it reaches the ring. It gets the commits that it missed, or
/// the reason why they are unknown (``ResetReason``). The memory of a subscriber does not depend on what it missed.
///
/// A commit resumes no subscriber. A task of the feed resumes them in batches, at a bounded rate (``FeedBounds/pace``),
/// and each gets all events since then. The number of subscribers is bounded for each caller and for anonymous ones.
///
/// The feed is a service: it reads the store's stream until the stream ends or the service group shuts down. It then
/// notifies its subscribers, and waits at most ``FeedBounds/lastPatience`` for them.
public final class ChangeFeed: Service {
    /// Opens a stream of the store's events after a token.
    public typealias Journal = @Sendable (ChangeToken) async -> AsyncStream<ChangeEvent>
    /// The position of the store's last commit; `nil` if the store cannot be asked.
    public typealias End = @Sendable () async -> ChangeToken?

    /// The capacity and the timeouts.
    public let bounds: FeedBounds
    let state: Mutex<FeedState>
    private let stream: AsyncStream<ChangeEvent>
    private let journal: Journal?
    private let end: End?
    private let gate: WorkGate
    /// Has an element if a subscriber may have to be resumed.
    private let (rounds, nextRound) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let check: (@Sendable () async throws -> Void)?

    /// Makes a feed, which starts when it is run.
    ///
    /// - Parameters:
    ///   - stream: A stream of `Store.changes(after:)`.
    ///   - token: The token after which the stream starts.
    ///   - bounds: The capacity and the timeouts.
    ///   - journal: Reads commits that the ring no longer has; without it, a subscriber gets a reset instead.
    ///   - end: For a store with several writers, which may be ahead of the stream. A client that has followed another
    ///     process then resumes after a position that this feed has not read yet.
    ///   - check: Throws if the stream has ended because the store cannot be used any more.
    public init(
        of stream: AsyncStream<ChangeEvent>, after token: ChangeToken, bounds: FeedBounds = FeedBounds(),
        journal: Journal? = nil, end: End? = nil, check: (@Sendable () async throws -> Void)? = nil
    ) {
        (self.stream, self.bounds, self.journal, self.end, self.check) = (stream, bounds, journal, end, check)
        state = Mutex(FeedState(after: token, isShared: end != nil, bounds: bounds))
        gate = WorkGate(
            bounds.subscribers, perCaller: bounds.subscribersPerCaller, anonymous: bounds.anonymousSubscribers)
    }

    /// Makes a feed of the commits of a store.
    public convenience init(of store: any Store, bounds: FeedBounds = FeedBounds()) async {
        // The stream after a token that the store cannot have starts with a gap, which has the current position. The
        // stream of a closed store is empty.
        let none = ChangeToken(lifetime: 0, position: .max)
        let stream = await store.changes(after: none)
        let start = await stream.first { _ in true }?.token
        let isSoleWriter = store.traits.capabilities.contains(.soleWriter)
        let end: End = { try? await store.commit(ChangeSet()).token }
        self.init(
            of: stream, after: start ?? none, bounds: bounds, journal: { await store.changes(after: $0) },
            end: isSoleWriter ? nil : end, check: { _ = try await store.isOpen() })
    }

    /// The number of subscribers, for a gauge.
    public var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    /// The number of subscribers that were dropped because they were too slow.
    public var droppedCount: Int { state.withLock { $0.dropped } }

    /// The number of the last commit that was read. For tests.
    package var lastSequence: Int64 { state.withLock { $0.ring.newest } }

    /// Whether each subscriber has received everything. For tests.
    package var isSettled: Bool { state.withLock { $0.isSettled } }

    /// Reads until the store is closed or the service group shuts down. Then ends all subscriptions.
    ///
    /// - Throws: The store's error if it cannot be used any more, for example because a restore has replaced it: a service
    ///   must end, and open it again.
    public func run() async throws {
        let isStopped = await withTaskGroup(of: Void.self, returning: Bool.self) { group in
            group.addTask { await self.lookOut() }
            group.addTask { await self.resumeWaiters() }
            for await change in stream.cancelOnGracefulShutdown() { append(change) }
            let isStopped = Task.isCancelled || Task.isShuttingDownGracefully
            await end()
            group.cancelAll()
            return isStopped
        }
        if !isStopped { try await check?() }
    }

    /// Makes a subscription, which counts towards the maximum numbers until it is released.
    ///
    /// - Parameters:
    ///   - id: The unparsed `Last-Event-ID`; `nil` starts with the next commit.
    ///   - caller: The key of the subscriber; `nil` for an anonymous one.
    ///   - audience: The filter for the subscriber's permissions.
    public func subscribe(
        after id: String? = nil, for caller: String? = nil, as audience: ChangeAudience = ChangeAudience()
    ) throws(FeedRefusal) -> ChangeSubscription {
        let claim = try claim(for: caller)
        // Not all at the same time: clients that connect together reconnect at different times.
        let end = ContinuousClock.now + bounds.lifetime * Double.random(in: 0.9...1)
        let (number, start) = try state.withLock { state throws(FeedRefusal) in
            if state.hasEnded { throw .ended }
            state.lastSubscriber += 1
            let (position, reset) = state.start(after: id)
            state.subscribers[state.lastSubscriber] = FeedState.Subscriber(
                position: position, reset: reset, isUnconfirmed: position > state.ring.newest,
                heartbeats: state.heartbeats, end: end, busySince: .now)
            return (state.lastSubscriber, reset == nil ? state.token(at: position) : nil)
        }
        return ChangeSubscription(of: self, number: number, start: start, claim, audience)
    }

    private func claim(for caller: String?) throws(FeedRefusal) -> WorkClaim {
        do {
            return try gate.claim(for: caller)
        } catch {
            throw .tooManySubscribers(error)
        }
    }

    /// The store's events after a token; only a gap if they cannot be read.
    func events(after token: ChangeToken) async -> AsyncStream<ChangeEvent> {
        if let journal { return await journal(token) }
        let gap = state.withLock { $0.token(at: $0.ring.newest) }
        return AsyncStream { continuation in
            continuation.yield(.gap(gap))
            continuation.finish()
        }
    }

    /// Whether the store has committed a position; `nil` while the store cannot be asked.
    func hasCommitted(_ token: ChangeToken) async -> Bool? {
        guard let ask: End = end else { return false }
        guard let last = await ask() else { return nil }
        return last.lifetime == token.lifetime && last.position >= token.position
    }

    private func append(_ change: ChangeEvent) {
        state.withLock { state in
            switch change {
            case .commit(let commit): state.ring.append(commit)
            case .gap(let token): state.ring.appendGap(upTo: token.position)
            }
            state.round += 1
        }
        nextRound.yield()
    }

    /// Resumes waiting subscribers after an event, a batch at a time.
    private func resumeWaiters() async {
        for await _ in rounds {
            while true {
                let batch = state.withLock { $0.takeBatch() }
                if batch.isEmpty { break }
                for waiter in batch { waiter.resume() }
                guard (try? await Task.sleep(for: bounds.pace * batch.count)) != nil else { return }
            }
        }
    }

    private func end() async {
        let waiters = state.withLock { state in
            state.hasEnded = true
            // The timeout of each subscriber starts now.
            for number in state.subscribers.keys { state.subscribers[number]?.busySince = .now }
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
        // The lookout removes slow subscribers. A cancelled feed does not wait.
        while subscriberCount > 0, (try? await Task.sleep(for: .milliseconds(5))) != nil {}
    }

    private func lookOut() async {
        var lastHeartbeat = ContinuousClock.now
        while (try? await Task.sleep(for: bounds.lookout)) != nil {
            let now = ContinuousClock.now
            let isTime = now - lastHeartbeat >= bounds.heartbeat
            if isTime { lastHeartbeat = now }
            look(at: now, beats: isTime)
        }
    }

    /// Drops the subscribers that are late at an instant, ends old ones, and sends heartbeats if `beats` is
    /// true.
    package func look(at now: ContinuousClock.Instant, beats: Bool) {
        let (late, old) = state.withLock { state in
            if beats { (state.heartbeats, state.round) = (state.heartbeats + 1, state.round + 1) }
            return (state.takeLate(bounds, now: now), state.endOld(now: now))
        }
        if beats { nextRound.yield() }
        for waiter in old { waiter.resume() }
        for subscriber in late { subscriber.onDrop?() }
    }
}
