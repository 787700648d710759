internal import LarderData

/// What a ``ChangeFeed`` knows: the ring, and where each subscriber stands in it. No subscriber has a buffer of its own.
struct FeedState {
    struct Subscriber {
        var position: Int64
        /// What it must be told first.
        var reset: ResetReason?
        /// The ring overtook it, and it has not caught up since.
        var isOvertaken = false
        /// Its stream ends once it has been told what there is.
        var isEnding = false
        /// It was told its last event.
        var isDone = false
        var heartbeats: Int
        /// Since when it works on an event; `nil` while it waits for one.
        var busySince: ContinuousClock.Instant?
        var onDrop: (@Sendable () -> Void)?
    }

    /// What a subscriber does next.
    enum Step {
        case event(FeedEvent)
        case wait
        case end
    }

    let boot: String
    var ring: ChangeRing
    var subscribers: [Int: Subscriber] = [:]
    /// Of those that wait for an event, apart from the others, so that a commit costs no more than whom it wakes.
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastSubscriber = 0
    var heartbeats = 0
    var hasEnded = false
    var dropped = 0

    init(boot: String, bounds: FeedBounds) {
        self.boot = boot
        ring = ChangeRing(bounds)
    }

    /// Where a new subscriber begins, and what it must be told first.
    func start(after id: String?) -> (position: Int64, reset: ResetReason?) {
        guard let id else { return (ring.newest, nil) }
        guard let id = EventID(id) else { return (ring.newest, .unknownID) }
        guard id.boot == boot else { return (ring.newest, .restart) }
        guard id.sequence <= ring.newest else { return (ring.newest, .unknownID) }
        guard id.sequence >= ring.floor else { return (ring.newest, id.sequence < ring.lost ? .gap : .overrun) }
        return (id.sequence, nil)
    }

    /// Moves a subscriber on by one event.
    mutating func step(of number: Int, now: ContinuousClock.Instant) -> Step {
        guard var subscriber = subscribers[number] else { return .end }
        let step = step(of: &subscriber)
        if case .wait = step {
            subscriber.busySince = nil
        } else if !subscriber.isEnding, !hasEnded {
            // At its end a subscriber has one span for all that is left to tell.
            subscriber.busySince = now
        }
        subscribers[number] = subscriber
        return step
    }

    private func step(of subscriber: inout Subscriber) -> Step {
        if subscriber.isDone { return .end }
        if subscriber.reset == nil, subscriber.position < ring.floor {
            subscriber.reset = subscriber.position < ring.lost ? .gap : .overrun
            // Overtaken again without having caught up: it is too slow for this stream, and no longer waited for.
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

    /// Takes out those that are late; their hooks are called when the lock is released.
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
