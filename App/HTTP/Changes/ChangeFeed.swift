public import LarderData
public import LarderDomain
public import ServiceLifecycle
internal import Synchronization

/// Broadcasts the committed changes of a store to any number of subscribers.
///
/// A ring buffer has the last commits, and a subscriber is a position in it, so its memory does not depend on the
/// commits. A position is an ``EventID``: the lifetime of the store's tokens and the position of a commit. A client that
/// resumes there gets the commits that it missed, or the reason why they are unknown (``ResetReason``). The ring starts
/// with the last commits of the store's journal, so a client can also resume after a restart of the server.
///
/// The feed is a service: it reads the store's stream until the stream ends or the service group shuts down. It then
/// notifies its subscribers, and waits at most ``FeedBounds/lastPatience`` for them.
public final class ChangeFeed: Service {
    /// The capacity and the timeouts.
    public let bounds: FeedBounds
    let state: Mutex<FeedState>
    private let stream: AsyncStream<ChangeEvent>

    /// Makes a feed, which starts when it is run.
    ///
    /// - Parameters:
    ///   - stream: The stream of `Store.changes()`. Create it before the first subscription, or commits are missed.
    ///   - boot: Identifies the lifetime of the store in ids; digits and lower-case letters.
    ///   - position: The position after which the stream starts.
    ///   - bounds: The capacity and the timeouts.
    public init(
        of stream: AsyncStream<ChangeEvent>, boot: String, after position: Int64 = 0, bounds: FeedBounds = FeedBounds()
    ) {
        (self.stream, self.bounds) = (stream, bounds)
        state = Mutex(FeedState(boot: boot, bounds: bounds, after: position))
    }

    /// Makes a feed of a store, with the last commits of its journal, if it has one.
    ///
    /// - Throws: The errors of a commit, which the store's position is read with.
    public convenience init(of store: any Store, bounds: FeedBounds = FeedBounds()) async throws(PersistencyError) {
        let last = try await store.commit(ChangeSet()).token
        let isJournaled = store.traits.capabilities.contains(.journal)
        let first = isJournaled ? max(0, last.position - Int64(bounds.commits)) : last.position
        let start = ChangeToken(lifetime: last.lifetime, position: first)
        let stream = await store.changes(after: start)
        self.init(of: stream, boot: last.lifetime.hexadecimal, after: first, bounds: bounds)
        if first == last.position { return }
        // Before the first subscription, so that a client can resume at once.
        for await event in stream {
            append(event)
            if event.token.position >= last.position { break }
        }
    }

    /// The number of subscribers, for a gauge.
    public var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    /// The number of subscribers that were dropped because they were too slow.
    public var droppedCount: Int { state.withLock { $0.dropped } }

    /// The number of the last commit that was read. For tests.
    package var lastSequence: Int64 { state.withLock { $0.ring.newest } }

    /// Whether each subscriber has received everything. For tests.
    package var isSettled: Bool { state.withLock { $0.waiters.count >= $0.subscribers.count } }

    /// Reads until the store is closed or the service group shuts down. Then ends all subscriptions.
    public func run() async throws {
        await withTaskGroup { group in
            group.addTask { await self.lookOut() }
            for await change in stream.cancelOnGracefulShutdown() { append(change) }
            await end()
            group.cancelAll()
        }
    }

    /// Makes a subscription, which counts towards the maximum number until it is released.
    ///
    /// - Parameters:
    ///   - id: The unparsed `Last-Event-ID`; `nil` starts with the next commit.
    ///   - visible: The part of a commit that the subscriber may see; `nil` if it may see none.
    public func subscribe(
        after id: String? = nil, visible: @escaping @Sendable (CommittedChanges) -> CommittedChanges? = { $0 }
    ) throws(FeedRefusal) -> ChangeSubscription {
        let (number, start) = try state.withLock { state throws(FeedRefusal) in
            if state.hasEnded { throw .ended }
            guard state.subscribers.count < bounds.subscribers else {
                throw .tooManySubscribers(bound: bounds.subscribers)
            }
            state.lastSubscriber += 1
            let (position, reset) = state.start(after: id)
            state.subscribers[state.lastSubscriber] = FeedState.Subscriber(
                position: position, reset: reset, heartbeats: state.heartbeats, busySince: .now)
            return (state.lastSubscriber, reset == nil ? EventID(boot: state.boot, sequence: position) : nil)
        }
        return ChangeSubscription(of: self, number: number, start: start, visible: visible)
    }

    private func append(_ change: ChangeEvent) {
        let waiters = state.withLock { state in
            switch change {
            case .commit(let commit): state.ring.append(commit)
            case .gap(let token): state.ring.appendGap(upTo: token.position)
            }
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
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

    /// Drops the subscribers that are late at an instant, and sends heartbeats if `beats` is true.
    package func look(at now: ContinuousClock.Instant, beats: Bool) {
        let (late, waiters) = state.withLock { state in
            if beats { state.heartbeats += 1 }
            return (state.takeLate(bounds, now: now), beats ? state.takeWaiters() : [])
        }
        for waiter in waiters { waiter.resume() }
        for subscriber in late { subscriber.onDrop?() }
    }
}
