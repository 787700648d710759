internal import LarderData

/// The state of a ``ChangeFeed``: the ring, and each subscriber's position in it. Subscribers have no buffers.
struct FeedState {
    struct Subscriber {
        var position: Int64
        /// The reason for a reset that must be the next event.
        var reset: ResetReason?
        /// The ring overtook the subscriber, which has not caught up since.
        var isOvertaken = false
        /// The stream ends after the pending events.
        var isEnding = false
        /// The last event was returned.
        var isDone = false
        var heartbeats: Int
        /// When the subscriber started to process an event; `nil` while it waits for one.
        var busySince: ContinuousClock.Instant?
        var onDrop: (@Sendable () -> Void)?
    }

    /// The next step of a subscriber.
    enum Step {
        case event(FeedEvent)
        case wait
        case end
    }

    let boot: String
    var ring: ChangeRing
    var subscribers: [Int: Subscriber] = [:]
    /// The continuations of waiting subscribers. Separate, so that a commit only costs as much as resuming these.
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastSubscriber = 0
    var heartbeats = 0
    var hasEnded = false
    var dropped = 0

    init(boot: String, bounds: FeedBounds, after position: Int64) {
        self.boot = boot
        ring = ChangeRing(bounds, after: position)
    }

    /// The start position of a new subscriber, and the reason for a reset that must be the first event.
    func start(after id: String?) -> (position: Int64, reset: ResetReason?) {
        guard let id else { return (ring.newest, nil) }
        guard let id = EventID(id) else { return (ring.newest, .unknownID) }
        guard id.boot == boot else { return (ring.newest, .restart) }
        guard id.sequence <= ring.newest else { return (ring.newest, .unknownID) }
        guard id.sequence >= ring.floor else { return (ring.newest, id.sequence < ring.lost ? .gap : .overrun) }
        return (id.sequence, nil)
    }

    /// Advances a subscriber by one event.
    mutating func step(of number: Int, now: ContinuousClock.Instant) -> Step {
        guard var subscriber = subscribers[number] else { return .end }
        let step = step(of: &subscriber)
        if case .wait = step {
            subscriber.busySince = nil
        } else if !subscriber.isEnding, !hasEnded {
            // After the end, a subscriber has one timeout for all remaining events.
            subscriber.busySince = now
        }
        subscribers[number] = subscriber
        return step
    }

    private func step(of subscriber: inout Subscriber) -> Step {
        if subscriber.isDone { return .end }
        if subscriber.reset == nil, subscriber.position < ring.floor {
            subscriber.reset = subscriber.position < ring.lost ? .gap : .overrun
            // Overtaken again before it caught up: the stream ends, because the subscriber is too slow.
            subscriber.isDone = subscriber.isOvertaken
            subscriber.isOvertaken = true
        }
        if let reason = subscriber.reset {
            subscriber.reset = nil
            subscriber.position = ring.newest
            return .event(.reset(reason, id(subscriber)))
        }
        if subscriber.heartbeats != heartbeats {
            subscriber.heartbeats = heartbeats
            return .event(.heartbeat(id(subscriber)))
        }
        if let (number, commit) = ring.commit(after: subscriber.position) {
            subscriber.position = number
            return .event(.commit(commit, id(subscriber)))
        }
        subscriber.isOvertaken = false
        guard subscriber.isEnding || hasEnded else { return .wait }
        subscriber.isDone = true
        return .event(.shutdown(id(subscriber)))
    }

    private func id(_ subscriber: Subscriber) -> EventID { EventID(boot: boot, sequence: subscriber.position) }

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
