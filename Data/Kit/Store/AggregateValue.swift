/// A figure of a group of roots, which can be combined with that of another group.
public enum AggregateValue: Hashable, Sendable {
    /// A number of roots.
    case count(Int)
    /// The sum of integers, and their number.
    case sum(Int128, count: Int)
    /// The least or greatest value, or `null`.
    case extreme(Value)
}

extension AggregateRequest.Figure {
    var empty: AggregateValue {
        switch self {
        case .count: .count(0)
        case .sum: .sum(0, count: 0)
        case .minimum, .maximum: .extreme(.null)
        }
    }

    func value(of root: StorageObject) -> AggregateValue {
        switch self {
        case .count: .count(1)
        case .sum(let index):
            if case .integer(let integer) = root.values[index] { .sum(Int128(integer), count: 1) } else { empty }
        case .minimum(let index), .maximum(let index): .extreme(root.values[index])
        }
    }
}

extension AggregateValue {
    mutating func combine(_ other: AggregateValue, _ figure: AggregateRequest.Figure) {
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
