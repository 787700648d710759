internal import LarderData
private import Synchronization

/// A place in a ``ChangeFeed``, read by one task. It is given back when the subscription is released.
public final class ChangeSubscription: Sendable {
    /// Where it began; `nil` where it must be told a reset first, which carries its place. Known any sooner, a client
    /// whose connection breaks between would come back there, and never hear what it missed.
    public let start: EventID?
    private let feed: ChangeFeed
    private let number: Int
    private let isVisible: @Sendable (CommittedChange) -> Bool
    private let isKindVisible: @Sendable (String) -> Bool

    init(
        of feed: ChangeFeed, number: Int, start: EventID?, isVisible: @escaping @Sendable (CommittedChange) -> Bool,
        isKindVisible: @escaping @Sendable (String) -> Bool
    ) {
        (self.feed, self.number, self.start, self.isVisible) = (feed, number, start, isVisible)
        self.isKindVisible = isKindVisible
    }

    deinit {
        feed.state.withLock { state in _ = state.subscribers.removeValue(forKey: number) }
    }

    /// The next event, once there is one; `nil` after the last, when the task is cancelled, or when it was dropped.
    ///
    /// Until it is called again the subscriber counts as working on the event; see ``FeedBounds/patience``.
    public func next() async -> FeedEvent? {
        while !Task.isCancelled {
            switch feed.state.withLock({ $0.step(of: number, now: .now) }) {
            case .end: return nil
            case .wait: await wait()
            case .event(.commit(let commit, let id)):
                if let event = visible(commit, id) { return event }
            case .event(let event): return event
            }
        }
        return nil
    }

    /// Ends after what there is to tell, as the feed's own end does.
    public func end() {
        let waiter = feed.state.withLock { state in
            if state.subscribers[number]?.isEnding == false { state.subscribers[number]?.busySince = .now }
            state.subscribers[number]?.isEnding = true
            return state.takeWaiter(of: number)
        }
        waiter?.resume()
    }

    /// Calls back when the subscriber was late and is no longer served.
    func onDrop(_ callBack: @escaping @Sendable () -> Void) {
        let isServed = feed.state.withLock { state in
            state.subscribers[number]?.onDrop = callBack
            return state.subscribers[number] != nil
        }
        if !isServed { callBack() }
    }

    private func visible(_ commit: CommittedChanges, _ id: EventID) -> FeedEvent? {
        let entries = commit.entries.filter(isVisible)
        let removals = commit.removals.filter { isKindVisible($0.reference.root.name) }
        if entries.isEmpty, removals.isEmpty { return nil }
        if entries.count > feed.bounds.changesPerEvent { return .reset(.bulk, id) }
        return .commit(CommittedChanges(token: commit.token, entries: entries, removals: removals), id)
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Judged again under the lock that keeps the continuation: what happened since the last step, or a
                // cancellation before this, would wake nobody.
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
