internal import LarderData
internal import LarderDomain

/// Sums and limits of the properties of rows, as an aggregate request asks for them and as plain Swift computes them.
enum PlainFigures {
    private static let microsecondsOfDay: Int64 = 86_400_000_000

    /// Groups the roots of a request by a property, the flag and the day of the instant.
    static func request(_ request: ReadRequest, by property: Property) -> AggregateRequest {
        AggregateRequest(
            request.schema, where: request.condition,
            by: [.column(property.rawValue), .column(Property.flag.rawValue), .day(Property.instant.rawValue)],
            of: [
                .count, .sum(Property.integer.rawValue), .sum(Property.maybeInteger.rawValue),
                .sum(Property.decimal.rawValue), .minimum(Property.maybeDecimal.rawValue),
                .minimum(Property.real.rawValue), .maximum(Property.maybeReal.rawValue),
                .minimum(Property.maybeInstant.rawValue), .maximum(Property.day.rawValue),
            ])
    }

    /// The figures of the request for the matching rows.
    static func expected(by property: Property, in rows: [PlainRow]) throws -> [[Value]: [AggregateValue]] {
        var groups: [[Value]: [PlainRow]] = [:]
        for row in rows where row[property] != .missing {
            guard case .instant(let instant) = row[.instant] else { continue }
            let rest = instant % microsecondsOfDay
            let day = instant / microsecondsOfDay - (rest < 0 ? 1 : 0)
            groups[[try Value(row[property]), try Value(row[.flag]), .integer(day)], default: []].append(row)
        }
        return try groups.mapValues { rows in
            [
                .count(rows.count), sum(.integer, rows), sum(.maybeInteger, rows), sum(.decimal, rows),
                try extreme(.maybeDecimal, rows, -1),
                try extreme(.real, rows, -1), try extreme(.maybeReal, rows, 1), try extreme(.maybeInstant, rows, -1),
                try extreme(.day, rows, 1),
            ]
        }
    }

    private static func sum(_ property: Property, _ rows: [PlainRow]) -> AggregateValue {
        var (sum, count) = (Int128(0), 0)
        for row in rows {
            switch row[property] {
            case .integer(let units), .decimal(let units, _): (sum, count) = (sum + Int128(units), count + 1)
            default: break
            }
        }
        return .sum(sum, count: count)
    }

    private static func extreme(_ property: Property, _ rows: [PlainRow], _ sign: Int) throws -> AggregateValue {
        var found = PlainValue.missing
        for value in rows.map({ $0[property] }) where value != .missing {
            if found == .missing || Oracle.compare(value, found) * sign > 0 { found = value }
        }
        return .extreme(try Value(found))
    }
}
