internal import LarderApp
public import LarderDomain
internal import NIOCore
private import Synchronization

/// A position in a ``ChangeFeed``, read by one task. Releasing the subscription ends it.
public final class ChangeSubscription: Sendable {
    /// The start position; `nil` if the first event is a reset, which has the position. If the position were sent
    /// before the reset, a client whose connection fails in between would resume there and miss the reset.
    public let start: ChangeToken?
    /// The maximum number of changes that are read from the store at once, unless one commit has more.
    private static let pageSize = 256
    private let feed: ChangeFeed
    private let number: Int
    private let claim: WorkClaim
    private let audience: ChangeAudience

    init(of feed: ChangeFeed, number: Int, start: ChangeToken?, _ claim: WorkClaim, _ audience: ChangeAudience) {
        (self.feed, self.number, self.start, self.claim, self.audience) = (feed, number, start, claim, audience)
    }

    deinit {
        feed.state.withLock { state in _ = state.subscribers.removeValue(forKey: number) }
        claim.release()
    }

    /// Waits for the next event; `nil` after the last event, after cancellation, or after the subscriber was dropped.
    ///
    /// Until the next call, the subscriber counts as processing the event; see ``FeedBounds/patience``.
    public func next() async -> FeedEvent? {
        while !Task.isCancelled {
            switch await advance() {
            case .event(let event): return event
            case .end: return nil
            case .again: continue
            }
        }
        return nil
    }

    /// The encoded next events, as many as are ready and fit into one write; `nil` as for ``next()``.
    ///
    /// - Returns: `isHeartbeat` for a single heartbeat.
    func nextText() async -> (text: ByteBuffer, isHeartbeat: Bool)? {
        while !Task.isCancelled {
            if let text = run() {
                if text.readableBytes > 0 { return (text, false) }
                continue
            }
            switch await advance() {
            case .event(let event):
                if case .heartbeat = event { return (audience.text(of: event), true) }
                return (audience.text(of: event), false)
            case .end: return nil
            case .again: continue
            }
        }
        return nil
    }

    /// The encoded commits in the ring after the last event; `nil` if there is another event first, or none yet.
    private func run() -> ByteBuffer? {
        let last = audience.lastRun
        switch feed.state.withLock({ $0.run(of: number, last: last, now: .now) }) {
        case nil: return nil
        case .encoded(let run): return run.text
        case .commits(let commits, let start):
            return audience.encode(commits, after: start, bounds: feed.bounds).text
        }
    }

    private enum Progress {
        case event(FeedEvent)
        case again
        case end
    }

    /// One step: an event, or waiting or reading until there may be one.
    private func advance() async -> Progress {
        switch feed.state.withLock({ $0.step(of: number, now: .now) }) {
        case .end: return .end
        case .wait: await wait()
        case .read(let token, let end): await readPage(after: token, upTo: end)
        case .confirm(let token):
            guard let isKnown = await feed.hasCommitted(token) else {
                // The client keeps its position while the store cannot be reached. After the feed's end, it resumes elsewhere.
                let isEnding = feed.state.withLock { $0.hasEnded || $0.subscribers[number]?.isEnding != false }
                if isEnding { return .end }
                try? await Task.sleep(for: .milliseconds(100))
                return .again
            }
            feed.state.withLock { state in
                state.subscribers[number]?.isUnconfirmed = false
                if !isKnown { state.subscribers[number]?.reset = .unknownID }
            }
        case .event(.commit(let commit, _)):
            if let seen = audience.visible(commit) { return .event(FeedEvent(seen, feed.bounds)) }
        case .event(let event): return .event(event)
        }
        return .again
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

    /// Reads the next events from the store. The stream is not kept: it would buffer commits for a slow client.
    private func readPage(after token: ChangeToken, upTo end: Int64) async {
        var page: [ChangeEvent] = []
        var changes = 0
        for await event in await feed.events(after: token) {
            if case .commit(let commit) = event { changes += commit.size }
            if changes > Self.pageSize, !page.isEmpty { break }
            page.append(event)
            if event.token.position >= end { break }
        }
        // The store is closed, or the task is cancelled.
        if page.isEmpty { return self.end() }
        feed.state.withLock { [page] in $0.subscribers[number]?.page = page.reversed() }
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
