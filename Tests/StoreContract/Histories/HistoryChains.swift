internal import LarderDomain

/// The versions of each key in a chain, with the event that wrote each version.
///
/// Versions give the order of the writes of a key, so no search is necessary.
struct HistoryChains {
    /// The events that wrote a key's versions, by version from 1. A deletion follows the last version.
    private(set) var writers: [Int: [Int]] = [:]
    private var values: [Int: [Int]] = [:]
    private var isDeleted: Set<Int> = []

    /// - Throws: ``HistoryFault`` if versions do not form a chain: a duplicate number, or a number without a write.
    init(_ events: [HistoryEvent]) throws(HistoryFault) {
        var puts: [Int: [(version: Int64, value: Int, event: Int)]] = [:]
        var deletions: [Int: Int] = [:]
        for (number, event) in events.enumerated() {
            for (key, write) in event.written {
                switch write {
                case .put(let version, let value): puts[key, default: []].append((version, value, number))
                case .deleted:
                    if let other = deletions.updateValue(number, forKey: key) {
                        throw HistoryFault("key \(key) was deleted twice", [events[other], event])
                    }
                }
            }
        }
        for (key, list) in puts {
            let chain = list.sorted { $0.version < $1.version }
            for (index, link) in chain.enumerated() where link.version != Int64(index) + 1 {
                let before = index > 0 ? [events[chain[index - 1].event]] : []
                let isFork = index > 0 && chain[index - 1].version == link.version
                throw HistoryFault(
                    isFork
                        ? "version \(link.version) of key \(key) was written twice"
                        : "no event wrote version \(index + 1) of key \(key)", before + [events[link.event]])
            }
            writers[key] = chain.map(\.event)
            values[key] = chain.map(\.value)
        }
        for (key, event) in deletions {
            writers[key, default: []].append(event)
            isDeleted.insert(key)
        }
    }

    /// The position of an observation in a key's chain: 0 before the first version, then the version, then the
    /// deletion.
    func place(of content: HistoryEvent.Content, _ key: Int, seenBy event: HistoryEvent) throws(HistoryFault) -> Int {
        switch content {
        case .absent: return isDeleted.contains(key) ? writers[key, default: []].count : 0
        case .present(let version, let value):
            guard let index = values[key]?.firstIndex(of: value) else {
                throw HistoryFault("no event wrote \(value) to key \(key)", [event])
            }
            guard version == nil || version == Int64(index) + 1 else {
                throw HistoryFault("key \(key) had \(value) at version \(index + 1)", [event])
            }
            return index + 1
        }
    }
}

/// The violation in a history.
struct HistoryFault: Error, CustomStringConvertible {
    let reason: String
    /// The events that show the violation.
    let events: [HistoryEvent]

    init(_ reason: String, _ events: [HistoryEvent]) {
        self.reason = reason
        self.events = events
    }

    var description: String { ([reason] + events.map { "  \($0)" }).joined(separator: "\n") }
}
