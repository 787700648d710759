// For stores that select groups in SQL: one row for each, with the keys and then the figures.
extension AggregateRequest {
    /// The types of the columns: those of the keys, then those of each figure. A sum has three: its upper and lower half, the
    /// sums of the values shifted by 32 bits and of their lower 32 bits, and the number of values. If the sum of the values
    /// has at most 64 bits, it may be the lower half, with an upper half of 0.
    public var columnTypes: [ColumnType] {
        keys.map { key in
            switch key {
            case .column(let index): schema.columns[index].type
            case .day, .childCount: .integer
            case .link: .id
            }
        }
            + figures.flatMap { figure -> [ColumnType] in
                switch figure {
                case .count: [.integer]
                case .sum: [.integer, .integer, .integer]
                case .minimum(let index), .maximum(let index): [schema.columns[index].type]
                }
            }
    }

    /// The keys and figures in a row with ``columnTypes``.
    public func values(of row: [Value]) -> (keys: [Value], figures: [AggregateValue]) {
        var rest = row[keys.count...]
        func integer() -> Int64 { if case .integer(let integer)? = rest.popFirst() { integer } else { 0 } }
        let values = figures.map { figure -> AggregateValue in
            switch figure {
            case .count: .count(Int(integer()))
            case .sum: .sum(Int128(integer()) << 32 + Int128(integer()), count: Int(integer()))
            case .minimum, .maximum: .extreme(rest.popFirst() ?? .null)
            }
        }
        return (Array(row[..<keys.count]), values)
    }
}
