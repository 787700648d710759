/// A figure of a group of roots, which can be combined with that of another group.
public enum AggregateValue: Hashable, Sendable {
    /// A number of roots.
    case count(Int)
    /// The sum of integers, and their number.
    case sum(Int128, count: Int)
    /// The least or greatest value, or `null`.
    case extreme(Value)
}

/// The figures of groups of roots, by their keys.
public struct AggregateTable: Sendable {
    /// The figures of each group.
    public private(set) var groups: [[Value]: [AggregateValue]] = [:]
    private let figures: [AggregateRequest.Figure]
    private let keys: [AggregateRequest.Key]

    /// Creates the table of a request, without roots.
    public init(_ request: AggregateRequest) {
        (keys, figures) = (request.keys, request.figures)
        removeAll()
    }

    /// Removes all roots.
    mutating func removeAll() { groups = keys.isEmpty ? [[]: figures.map(\.empty)] : [:] }

    /// The number of roots in each group of one key, if it is the only figure.
    package var counts: [Value: Int] {
        var counts: [Value: Int] = [:]
        for case (let keys, .count(let count)) in groups.mapValues({ $0[0] }) where count > 0 {
            counts[keys[0]] = count
        }
        return counts
    }

    /// Adds a root to its groups.
    public mutating func add(_ root: StorageObject) {
        var groups: [[Value]] = [[]]
        for key in keys {
            let values = key.values(of: root)
            groups = groups.flatMap { group in values.map { group + [$0] } }
        }
        if groups.isEmpty { return }
        let values = figures.map { $0.value(of: root) }
        for group in groups { add(values, to: group) }
    }

    /// Adds the figures of a group, which is combined with that of the same keys.
    public mutating func add(_ values: [AggregateValue], to group: [Value]) {
        for (index, value) in values.enumerated() {
            groups[group, default: figures.map(\.empty)][index].combine(value, figures[index])
        }
    }
}

extension AggregateRequest.Key {
    fileprivate func values(of root: StorageObject) -> [Value] {
        switch self {
        case .column(let index): root.values[index] == .null ? [] : [root.values[index]]
        case .day(let index):
            if case .integer(let instant) = root.values[index] { [.integer(instant.dayOfInstant)] } else { [] }
        case .link(let index): Set(root.links[index]).map(Value.id)
        case .childCount(let index): [.integer(Int64(root.children[index].count))]
        }
    }
}

extension AggregateRequest.Figure {
    fileprivate var empty: AggregateValue {
        switch self {
        case .count: .count(0)
        case .sum: .sum(0, count: 0)
        case .minimum, .maximum: .extreme(.null)
        }
    }

    fileprivate func value(of root: StorageObject) -> AggregateValue {
        switch self {
        case .count: .count(1)
        case .sum(let index):
            if case .integer(let integer) = root.values[index] { .sum(Int128(integer), count: 1) } else { empty }
        case .minimum(let index), .maximum(let index): .extreme(root.values[index])
        }
    }
}

extension AggregateValue {
    fileprivate mutating func combine(_ other: AggregateValue, _ figure: AggregateRequest.Figure) {
        switch (self, other) {
        case (.count(let own), .count(let others)): self = .count(own + others)
        case (.sum(let own, let count), .sum(let others, let more)): self = .sum(own + others, count: count + more)
        case (.extreme(let own), .extreme(let others)) where others != .null:
            let isLess = Value.precedes(others, own)
            if case .minimum = figure {
                if own == .null || isLess { self = other }
            } else if !isLess {
                self = other
            }
        default: break
        }
    }
}

extension Int64 {
    /// The day of an instant of microseconds, as a number of days since 1970.
    var dayOfInstant: Int64 {
        let microsecondsOfDay: Int64 = 86_400_000_000
        return self / microsecondsOfDay - (self % microsecondsOfDay < 0 ? 1 : 0)
    }
}
