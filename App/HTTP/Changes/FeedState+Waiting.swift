extension FeedState {
    /// A subscriber without an event.
    struct Waiter {
        let number: Int
        /// The round in which it started to wait.
        let round: Int
        let turn: CheckedContinuation<Void, Never>
    }

    /// The maximum number of subscribers that are resumed at once.
    static let batch = 32

    /// Stores the continuation of an idle subscriber; `false` if the subscriber has an event.
    mutating func keep(_ turn: CheckedContinuation<Void, Never>, of number: Int) -> Bool {
        guard let subscriber = subscribers[number], isIdle(subscriber) else { return false }
        waiters.append(Waiter(number: number, round: round, turn: turn))
        return true
    }

    /// Removes and returns the continuation of one subscriber, if it waits.
    ///
    /// - Complexity: O(*n*) for *n* waiting subscribers.
    mutating func takeWaiter(of number: Int) -> CheckedContinuation<Void, Never>? {
        waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0).turn }
    }

    /// Removes and returns the next continuations of subscribers that have waited since before the last event; they are
    /// resumed after the lock is released.
    mutating func takeBatch() -> [CheckedContinuation<Void, Never>] {
        // In order of the rounds, because a subscriber is appended when it starts to wait.
        let batch = waiters.prefix(Self.batch).prefix { $0.round < round }
        defer { waiters.removeFirst(batch.count) }
        return batch.map(\.turn)
    }

    /// Removes and returns all continuations; they are resumed after the lock is released.
    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
        defer { waiters.removeAll() }
        return waiters.map(\.turn)
    }

    /// Whether each subscriber waits, and has waited since after the last event.
    var isSettled: Bool { waiters.count { $0.round == round } >= subscribers.count }

    private func isIdle(_ subscriber: Subscriber) -> Bool {
        subscriber.reset == nil && !subscriber.isUnconfirmed && !subscriber.isDone && !subscriber.isEnding && !hasEnded
            && subscriber.position >= ring.newest && subscriber.heartbeats == heartbeats
    }
}
