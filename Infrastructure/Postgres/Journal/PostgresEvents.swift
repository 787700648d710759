#if Postgres
internal import LarderData
internal import LarderDomain

/// The last events of the journal, without interruption, in a bounded buffer.
struct PostgresEvents {
    /// The maximum numbers of events, and of changes in all of them, except for one page more.
    private static let (maximumCount, maximumSize) = (1024, 1 << 16)
    /// The position that the first event follows.
    private(set) var start: Int64
    private var events: ArraySlice<PostgresJournal.Event> = []
    private var size = 0

    init(after start: Int64) {
        self.start = start
    }

    /// The position of the last event.
    var end: Int64 { events.last?.position ?? start }

    /// The events after a position, of which the buffer has all.
    func next(after position: Int64) -> PostgresFeed.Next {
        if position < start { return .behind }
        if position >= end { return .nothing }
        // Positions increase, but some are missing before a gap.
        var (low, high) = (events.startIndex, events.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].position <= position { low = middle + 1 } else { high = middle }
        }
        return .events(events[low...])
    }

    /// Appends a page that was read after the end. Returns whether it has events.
    mutating func append(_ page: PostgresJournal.Page) -> Bool {
        let new = page.all(after: end)
        events += new
        size += new.reduce(0) { $0 + $1.size }
        while events.count > Self.maximumCount || size > Self.maximumSize, events.count > new.count,
            let first = events.popFirst()
        {
            (start, size) = (first.position, size - first.size)
        }
        return !new.isEmpty
    }
}

extension PostgresJournal.Event {
    /// The number of changes.
    fileprivate var size: Int { if case .commit(let commit)? = event { commit.size } else { 1 } }
}

extension PostgresJournal.Page {
    /// The events after a position: a gap for removed ones, and the rest.
    func all(after position: Int64) -> [PostgresJournal.Event] {
        let gap = ChangeToken(lifetime: lifetime, position: removed)
        return (removed > position ? [.init(position: removed, event: .gap(gap))] : [])
            + events.filter { $0.position > max(position, removed) }
    }
}
#endif
