public import LarderData
public import ServiceLifecycle
internal import Synchronization

/// Tells the committed changes of a store to any number of subscribers, each from the place where it stands.
///
/// The last commits are kept once, in a ring; a subscriber is a place in it, so what a subscriber costs does not grow
/// with what is committed. A place is an ``EventID``: the run of the server and the number of a commit. Whoever comes
/// back with one is told what it missed, or that this cannot be known (``ResetReason``).
///
/// It is a service: it reads the store's stream until that ends, or until the group that it runs in shuts down. Then
/// subscribers are told, and waited for no longer than ``FeedBounds/lastPatience``.
public final class ChangeFeed: Service {
    /// What it keeps and how long it waits.
    public let bounds: FeedBounds
    let state: Mutex<FeedState>
    private let stream: AsyncStream<StoreChange>

    /// Makes a feed, which begins when it is run.
    ///
    /// - Parameters:
    ///   - stream: `Store.changes()`, asked for before anybody can subscribe, so that nothing is missed between.
    ///   - boot: Names this run of the server; digits and lower-case letters. See ``EventID/randomBoot(using:)``.
    ///   - bounds: What it keeps and how long it waits.
    public init(of stream: AsyncStream<StoreChange>, boot: String, bounds: FeedBounds = FeedBounds()) {
        (self.stream, self.bounds) = (stream, bounds)
        state = Mutex(FeedState(boot: boot, bounds: bounds))
    }

    /// How many subscribers there are, for a gauge.
    public var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    /// How many subscribers were dropped because they were late.
    public var droppedCount: Int { state.withLock { $0.dropped } }

    /// The number of the last commit that was read. For tests.
    package var lastSequence: Int64 { state.withLock { $0.ring.newest } }

    /// Whether each subscriber has received everything. For tests.
    package var isSettled: Bool { state.withLock { $0.waiters.count >= $0.subscribers.count } }

    /// Reads until the store is closed or the service group shuts down; then ends every subscription.
    public func run() async throws {
        await withTaskGroup { group in
            group.addTask { await self.lookOut() }
            for await change in stream.cancelOnGracefulShutdown() { append(change) }
            await end()
            group.cancelAll()
        }
    }

    /// Makes a subscription, which holds one of the places until it is released.
    ///
    /// - Parameters:
    ///   - id: `Last-Event-ID` as it came; `nil` begins with what is committed from now on.
    ///   - isVisible: Whether the subscriber may see a change.
    ///   - isKindVisible: Whether it may see any entity of a schema, by the schema's name: a removal names no entity.
    public func subscribe(
        after id: String? = nil, where isVisible: @escaping @Sendable (CommittedChange) -> Bool = { _ in true },
        anyOf isKindVisible: @escaping @Sendable (String) -> Bool = { _ in true }
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
        return ChangeSubscription(
            of: self, number: number, start: start, isVisible: isVisible, isKindVisible: isKindVisible)
    }

    private func append(_ change: StoreChange) {
        let waiters = state.withLock { state in
            switch change {
            case .commit(let commit): state.ring.append(commit)
            case .gap: state.ring.appendGap()
            }
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    private func end() async {
        let waiters = state.withLock { state in
            state.hasEnded = true
            // Each has its time from now on.
            for number in state.subscribers.keys { state.subscribers[number]?.busySince = .now }
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
        // Whoever is late is taken out by the lookout. Cancelled, the feed waits for nobody.
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

    /// Drops those that are late at an instant, and has everyone told that time passes, where it is time for that.
    package func look(at now: ContinuousClock.Instant, beats: Bool) {
        let (late, waiters) = state.withLock { state in
            if beats { state.heartbeats += 1 }
            return (state.takeLate(bounds, now: now), beats ? state.takeWaiters() : [])
        }
        for waiter in waiters { waiter.resume() }
        for subscriber in late { subscriber.onDrop?() }
    }
}
