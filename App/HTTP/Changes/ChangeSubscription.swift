internal import LarderDomain
private import Synchronization

/// A position in a ``ChangeFeed``, read by one task. Releasing the subscription ends it.
public final class ChangeSubscription: Sendable {
    /// The start position; `nil` if the first event is a reset, which has the position. If the position were sent
    /// before the reset, a client whose connection fails in between would resume there and miss the reset.
    public let start: EventID?
    private let feed: ChangeFeed
    private let number: Int
    private let visible: @Sendable (CommittedChanges) -> CommittedChanges?

    init(
        of feed: ChangeFeed, number: Int, start: EventID?,
        visible: @escaping @Sendable (CommittedChanges) -> CommittedChanges?
    ) {
        (self.feed, self.number, self.start, self.visible) = (feed, number, start, visible)
    }

    deinit {
        feed.state.withLock { state in _ = state.subscribers.removeValue(forKey: number) }
    }

    /// Waits for the next event; `nil` after the last event, after cancellation, or after the subscriber was dropped.
    ///
    /// Until the next call, the subscriber counts as processing the event; see ``FeedBounds/patience``.
    public func next() async -> FeedEvent? {
        while !Task.isCancelled {
            switch feed.state.withLock({ $0.step(of: number, now: .now) }) {
            case .end: return nil
            case .wait: await wait()
            case .event(.commit(let commit, let id)):
                if let commit = visible(commit) { return event(commit, id) }
            case .event(let event): return event
            }
        }
        return nil
    }

    /// Ends after the pending events, as at the end of the feed.
    public func end() {
        let waiter = feed.state.withLock { state in
            if state.subscribers[number]?.isEnding == false { state.subscribers[number]?.busySince = .now }
            state.subscribers[number]?.isEnding = true
            return state.takeWaiter(of: number)
        }
        waiter?.resume()
    }

    /// Sets a callback for when the subscriber is dropped because it is late.
    func onDrop(_ callBack: @escaping @Sendable () -> Void) {
        let isServed = feed.state.withLock { state in
            state.subscribers[number]?.onDrop = callBack
            return state.subscribers[number] != nil
        }
        if !isServed { callBack() }
    }

    private func event(_ commit: CommittedChanges, _ id: EventID) -> FeedEvent {
        commit.entries.count > feed.bounds.changesPerEvent ? .reset(.bulk, id) : .commit(commit, id)
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Checked again under the lock that protects the continuation: nothing would resume it for an event
                // since the last step, or for an earlier cancellation.
                let waits = feed.state.withLock { state in
                    !Task.isCancelled && state.keep(continuation, of: number)
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            feed.state.withLock { $0.takeWaiter(of: number) }?.resume()
        }
    }
}
