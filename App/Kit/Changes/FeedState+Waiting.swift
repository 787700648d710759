extension FeedState {
    /// Keeps the continuation of a subscriber that has nothing to do; `false` where it has.
    mutating func keep(_ waiter: CheckedContinuation<Void, Never>, of number: Int) -> Bool {
        guard let subscriber = subscribers[number], isIdle(subscriber) else { return false }
        subscribers[number]?.waiter = waiter
        return true
    }

    /// Takes the continuation of one subscriber, if it waits.
    mutating func takeWaiter(of number: Int) -> CheckedContinuation<Void, Never>? {
        defer { subscribers[number]?.waiter = nil }
        return subscribers[number]?.waiter
    }

    private func isIdle(_ subscriber: Subscriber) -> Bool {
        subscriber.waiter == nil && subscriber.reset == nil && !subscriber.isDone && !subscriber.isEnding && !hasEnded
            && subscriber.position == ring.newest && subscriber.heartbeats == heartbeats
    }
}
