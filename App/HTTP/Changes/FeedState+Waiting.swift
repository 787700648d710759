extension FeedState {
    /// Stores the continuation of an idle subscriber; `false` if the subscriber has an event.
    mutating func keep(_ waiter: CheckedContinuation<Void, Never>, of number: Int) -> Bool {
        guard let subscriber = subscribers[number], waiters[number] == nil, isIdle(subscriber) else { return false }
        waiters[number] = waiter
        return true
    }

    /// Removes and returns the continuation of one subscriber, if it waits.
    mutating func takeWaiter(of number: Int) -> CheckedContinuation<Void, Never>? {
        waiters.removeValue(forKey: number)
    }

    /// Removes and returns all continuations; they are resumed after the lock is released.
    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
        defer { waiters.removeAll(keepingCapacity: true) }
        return Array(waiters.values)
    }

    private func isIdle(_ subscriber: Subscriber) -> Bool {
        subscriber.reset == nil && !subscriber.isUnconfirmed && !subscriber.isDone && !subscriber.isEnding && !hasEnded
            && subscriber.position >= ring.newest && subscriber.heartbeats == heartbeats
    }
}
