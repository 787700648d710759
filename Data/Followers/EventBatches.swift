internal import LarderDomain

/// A bounded buffer between a change stream and a follower, which takes as many events as there are.
actor EventBatches {
    private let limit: Int
    private var events: [ChangeEvent] = []
    private var isEnded = false
    /// The reader that waits for an event, or the writer that waits for space.
    private var waiting: CheckedContinuation<Void, Never>?

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Appends an event, when there is space.
    func append(_ event: ChangeEvent) async {
        while events.count >= limit, !isEnded { await wait() }
        guard !isEnded else { return }
        events.append(event)
        resume()
    }

    /// Ends the batches after the events so far.
    func end() {
        isEnded = true
        resume()
    }

    /// The next events, at least one; `nil` after the end.
    func next() async -> [ChangeEvent]? {
        while events.isEmpty {
            if isEnded { return nil }
            await wait()
        }
        defer {
            events = []
            resume()
        }
        return events
    }

    private func wait() async {
        await withCheckedContinuation { waiting = $0 }
    }

    private func resume() {
        waiting?.resume()
        waiting = nil
    }
}
