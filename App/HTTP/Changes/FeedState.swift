internal import LarderDomain

/// The state of a ``ChangeFeed``: the ring, and the position of each subscriber.
struct FeedState {
    struct Subscriber {
        var position: Int64
        /// The reason for a reset that must be the next event.
        var reset: ResetReason?
        /// The position is after the newest one here, and another process may have committed it.
        var isUnconfirmed = false
        /// The next events in reverse order, which the ring no longer has: a few hundred changes, or one commit.
        var page: [ChangeEvent] = []
        /// The stream ends after the pending events.
        var isEnding = false
        /// The last event was returned.
        var isDone = false
        var heartbeats: Int
        /// When the stream ends, without an event.
        let end: ContinuousClock.Instant
        /// When the subscriber started to process an event; `nil` while it waits for one or reads the store.
        var busySince: ContinuousClock.Instant?
        var onDrop: (@Sendable () -> Void)?
    }

    /// The next step of a subscriber.
    enum Step {
        case event(FeedEvent)
        /// The ring no longer has the commits after a token, at least up to a position: read them from the store.
        case read(after: ChangeToken, upTo: Int64)
        /// Ask the store whether it has committed the position.
        case confirm(ChangeToken)
        case wait
        case end
    }

    let lifetime: UInt64
    /// Whether other processes commit to the store, so that a client may know later positions than this feed.
    let isShared: Bool
    var ring: ChangeRing
    var subscribers: [Int: Subscriber] = [:]
    /// The waiting subscribers in the order in which they started to wait.
    var waiters: [Waiter] = []
    /// The number of events so far for which all waiting subscribers are resumed.
    var round = 0
    var lastSubscriber = 0
    var heartbeats = 0
    var hasEnded = false
    var dropped = 0

    init(after token: ChangeToken, isShared: Bool, bounds: FeedBounds) {
        (lifetime, self.isShared) = (token.lifetime, isShared)
        ring = ChangeRing(bounds, after: token.position)
    }

    /// The start position of a new subscriber, and the reason for a reset that must be the first event.
    func start(after id: String?) -> (position: Int64, reset: ResetReason?) {
        guard let id else { return (ring.newest, nil) }
        guard let token = ChangeToken(id) else { return (ring.newest, .unknownID) }
        guard token.lifetime == lifetime else { return (ring.newest, .otherLifetime) }
        guard token.position <= ring.newest || isShared else { return (ring.newest, .unknownID) }
        return (token.position, nil)
    }

    func token(at position: Int64) -> ChangeToken { ChangeToken(lifetime: lifetime, position: position) }

    /// Advances a subscriber by one event.
    mutating func step(of number: Int, now: ContinuousClock.Instant) -> Step {
        // Removed, so that its page is not copied.
        guard var subscriber = subscribers.removeValue(forKey: number) else { return .end }
        defer { subscribers[number] = subscriber }
        let step = step(of: &subscriber)
        switch step {
        case .wait, .read, .confirm: subscriber.busySince = nil
        // After the end, a subscriber has one timeout for all remaining events.
        case .event, .end: if !subscriber.isEnding, !hasEnded { subscriber.busySince = now }
        }
        return step
    }

    private func step(of subscriber: inout Subscriber) -> Step {
        if subscriber.isDone { return .end }
        if let reason = subscriber.reset.take() {
            subscriber.position = ring.newest
            return .event(.reset(reason, token(at: subscriber.position)))
        }
        if subscriber.isUnconfirmed { return .confirm(token(at: subscriber.position)) }
        if subscriber.heartbeats != heartbeats {
            subscriber.heartbeats = heartbeats
            return .event(.heartbeat(token(at: subscriber.position)))
        }
        if let event = subscriber.page.popLast() ?? ring.commit(after: subscriber.position).map(ChangeEvent.commit) {
            if subscriber.page.isEmpty { subscriber.page = [] }
            subscriber.position = event.token.position
            let token = token(at: subscriber.position)
            switch event {
            case .commit(let commit): return .event(.commit(commit, token))
            case .gap: return .event(.reset(.gap, token))
            }
        }
        if subscriber.isEnding || hasEnded {
            subscriber.isDone = true
            return .event(.shutdown(token(at: subscriber.position)))
        }
        if subscriber.position < ring.floor {
            return .read(after: token(at: subscriber.position), upTo: ring.floor)
        }
        return .wait
    }

    /// Ends the subscriptions whose lifetime is over at an instant; their continuations are resumed after the lock is
    /// released.
    mutating func endOld(now: ContinuousClock.Instant) -> [CheckedContinuation<Void, Never>] {
        let old = subscribers.filter { !$1.isDone && $1.end <= now }.keys
        for number in old { subscribers[number]?.isDone = true }
        return old.compactMap { takeWaiter(of: $0) }
    }

    /// Removes late subscribers; their callbacks are called after the lock is released.
    mutating func takeLate(_ bounds: FeedBounds, now: ContinuousClock.Instant) -> [Subscriber] {
        let late = subscribers.filter { _, subscriber in
            guard let since = subscriber.busySince else { return false }
            return now - since > (subscriber.isEnding || hasEnded ? bounds.lastPatience : bounds.patience)
        }
        for number in late.keys { subscribers[number] = nil }
        dropped += late.count
        return Array(late.values)
    }
}
