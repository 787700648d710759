/// Judges a history: whether a sequential order of all its events exists in which each client received correct answers,
/// and in which no event precedes one that had ended before it began.
///
/// For each key, the versions give the order of its writers. An event that saw a version follows the writer of that
/// version and precedes the writer of the next one. Together with the clock, these are all constraints. If they form no
/// cycle, such an order exists (the history is strictly serializable, and each key is a linear versioned register with
/// compare-and-set).
struct HistoryChecker {
    private let events: [HistoryEvent]
    /// The nodes: the events, then the ends of the events in their order of time.
    private var followers: [[Int]]

    private init(_ events: [HistoryEvent]) {
        self.events = events
        followers = Array(repeating: [], count: events.count * 2)
    }

    /// - Throws: ``HistoryFault`` with events that cannot be ordered.
    static func check(_ events: [HistoryEvent]) throws(HistoryFault) {
        for event in events {
            if let fault = event.fault { throw HistoryFault(fault, [event]) }
        }
        var checker = HistoryChecker(events)
        try checker.addVersions(try HistoryChains(events))
        checker.addClock()
        if let circle = checker.circle { throw HistoryFault("these cannot be put in an order", circle) }
    }

    private mutating func addVersions(_ chains: HistoryChains) throws(HistoryFault) {
        for writers in chains.writers.values {
            for (earlier, later) in zip(writers, writers.dropFirst()) { add(earlier, before: later) }
        }
        for (number, event) in events.enumerated() {
            for (key, content) in event.seen {
                let place = try chains.place(of: content, key, seenBy: event)
                add(number, at: place, of: chains.writers[key, default: []])
            }
            for (key, version) in event.versions {
                let writers = chains.writers[key, default: []]
                guard version >= 1, version <= writers.count else {
                    throw HistoryFault("no event wrote version \(version) of key \(key)", [event])
                }
                add(number, at: Int(version), of: writers)
            }
            if let key = event.taken {
                guard let creator = chains.writers[key]?.first else {
                    throw HistoryFault("no event created key \(key)", [event])
                }
                add(creator, before: number)
            }
        }
    }

    /// Orders an event that saw a version after the writer of the version and before the writer of the next one.
    private mutating func add(_ reader: Int, at place: Int, of writers: [Int]) {
        if place > 0 { add(writers[place - 1], before: reader) }
        if place < writers.count { add(reader, before: writers[place]) }
    }

    private mutating func add(_ earlier: Int, before later: Int) {
        // An event that reads and writes needs no edge to itself.
        if earlier != later { followers[earlier].append(later) }
    }

    /// Each event precedes its end, each end the next end, and the last end before a beginning precedes that event.
    private mutating func addClock() {
        let count = events.count
        let ended = events.indices.sorted { events[$0].end < events[$1].end }
        for (moment, event) in ended.enumerated() {
            followers[event].append(count + moment)
            if moment + 1 < count { followers[count + moment].append(count + moment + 1) }
        }
        var moment = -1
        for event in events.indices.sorted(by: { events[$0].begin < events[$1].begin }) {
            while moment + 1 < count, events[ended[moment + 1]].end < events[event].begin { moment += 1 }
            if moment >= 0 { followers[count + moment].append(event) }
        }
    }

    /// A cycle of events, each before the next; `nil` if there is none.
    private var circle: [HistoryEvent]? {
        var waiting = Array(repeating: 0, count: followers.count)
        for list in followers { for follower in list { waiting[follower] += 1 } }
        var free = waiting.indices.filter { waiting[$0] == 0 }
        var left = followers.count
        while let node = free.popLast() {
            left -= 1
            for follower in followers[node] {
                waiting[follower] -= 1
                if waiting[follower] == 0 { free.append(follower) }
            }
        }
        guard left > 0 else { return nil }
        return shortestCircle(among: Set(waiting.indices.filter { waiting[$0] > 0 }))
    }

    /// The shortest cycle, for a readable report.
    private func shortestCircle(among nodes: Set<Int>) -> [HistoryEvent] {
        var best: [Int] = []
        for start in nodes.sorted().prefix(200) {
            var cameFrom: [Int: Int] = [:]
            var frontier = [start]
            search: while !frontier.isEmpty {
                var next: [Int] = []
                for node in frontier {
                    for follower in followers[node] where nodes.contains(follower) && cameFrom[follower] == nil {
                        cameFrom[follower] = node
                        if follower == start { break search }
                        next.append(follower)
                    }
                }
                frontier = next
            }
            guard var node = cameFrom[start] else { continue }
            var path = [node]
            while node != start, let previous = cameFrom[node] {
                node = previous
                path.append(node)
            }
            if best.isEmpty || path.count < best.count { best = path }
        }
        return best.reversed().filter { $0 < events.count }.map { events[$0] }
    }
}
