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

extension Int64 {
    /// The day of an instant of microseconds, as a number of days since 1970.
    var dayOfInstant: Int64 {
        let microsecondsOfDay: Int64 = 86_400_000_000
        return self / microsecondsOfDay - (self % microsecondsOfDay < 0 ? 1 : 0)
    }
}
