/// Figures of the roots that satisfy a condition, for each group of them.
public struct AggregateRequest: Sendable {
    /// A key by which roots are grouped.
    public enum Key: Hashable, Sendable {
        /// The value of a column; a root with `null` is in no group [aggregate.1].
        case column(Int)
        /// The day of an instant in UTC, as the number of days since 1970 [aggregate.2].
        case day(Int)
        /// Each id in a list of links, once for each root that links to it [aggregate.3].
        case link(Int)
        /// The number of objects in an owned list, 0 included [aggregate.4].
        case childCount(Int)
    }

    /// A figure of a group.
    public enum Figure: Hashable, Sendable {
        /// The number of roots [aggregate.5].
        case count
        /// The exact sum of an integer column, and the number of its values [aggregate.6].
        case sum(Int)
        /// The least value of a column of integers, reals, instants or days; `null` without any [aggregate.7].
        case minimum(Int)
        /// The greatest value of such a column; `null` without any [aggregate.8].
        case maximum(Int)
    }

    /// The roots' schema.
    public let schema: EntitySchema
    /// The condition that grouped roots satisfy.
    public internal(set) var condition: Condition
    /// The keys; without any, all roots are one group, also if there are none [aggregate.9].
    public let keys: [Key]
    /// The figures.
    public let figures: [Figure]
    /// The copy of the data that answers, and the commit that the figures include.
    public var consistency: ReadConsistency

    /// Requests figures of the roots that satisfy a condition; by default, of the primary copy.
    public init(
        _ schema: EntitySchema, where condition: Condition, by keys: [Key], of figures: [Figure],
        consistency: ReadConsistency = ReadConsistency()
    ) {
        (self.schema, self.condition, self.keys, self.figures) = (schema, condition, keys, figures)
        self.consistency = consistency
    }

    /// The number of roots by one key.
    public init(_ counts: CountRequest) {
        let key: Key =
            switch counts.key {
            case .column(let index): .column(index)
            case .link(let index): .link(index)
            case .childCount(let index): .childCount(index)
            }
        self.init(
            counts.schema, where: counts.condition, by: [key], of: [.count], consistency: counts.consistency)
    }

    /// The columns that the keys and figures read.
    package var columns: [Int] {
        keys.compactMap {
            if case .column(let index) = $0 { index } else if case .day(let index) = $0 { index } else { nil }
        }
            + figures.compactMap { figure in
                switch figure {
                case .count: nil
                case .sum(let index), .minimum(let index), .maximum(let index): index
                }
            }
    }
}
