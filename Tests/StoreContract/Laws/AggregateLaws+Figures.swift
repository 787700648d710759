internal import LarderData
internal import LarderDomain

/// Limits of values, and several figures of one query.
extension AggregateLaws {
    static let figures: [Law] = [
        Law(.queries, "The least and greatest reals are exact, and zero has no sign") { trial in
            let groups: [(title: String, prices: [Double], least: Double, greatest: Double)] = [
                ("far", [1, .greatestFiniteMagnitude, -1e300], -1e300, .greatestFiniteMagnitude),
                ("near", [0.3, 0.1.nextUp, 0.3.nextUp], 0.1.nextUp, 0.3.nextUp),
                ("negative", [-2.5, -1.5], -2.5, -1.5),
                (
                    "tiny", [.leastNonzeroMagnitude, -.leastNonzeroMagnitude], -.leastNonzeroMagnitude,
                    .leastNonzeroMagnitude
                ),
                ("zero", [-0.0], 0, 0),
            ]
            for group in groups {
                for price in group.prices {
                    var book = Book(trial.id(), group.title)
                    book.price = price
                    try await trial.manager.create(book)
                }
            }
            let found = try await trial.manager.aggregates(
                Query<Book>(), by: .value(\.title), of: .minimum(\.price), .maximum(\.price))
            try expect("the groups", found.map(\.keys), is: groups.map(\.title))
            for (group, values) in zip(groups, found.map(\.values)) {
                try expect("the least, \(group.title)", values.0?.bitPattern, is: group.least.bitPattern)
                try expect("the greatest, \(group.title)", values.1?.bitPattern, is: group.greatest.bitPattern)
            }
        }.tests("aggregate.7", "aggregate.8"),
        Law(.queries, "The least and greatest values are not nil if one is not; groups without any are the least") {
            trial in
            let groups: [(title: String, pages: [Int?])] = [
                ("high", [7, nil, 3]), ("low", [nil, -3, -7]), ("none", [nil, nil]),
            ]
            for group in groups {
                for pages in group.pages {
                    var book = Book(trial.id(), group.title)
                    (book.pages, book.price) = (pages, pages.map(Double.init))
                    book.published = pages.flatMap { CalendarDay(year: 2000 + $0, month: 2, day: 9) }
                    try await trial.manager.create(book)
                }
            }
            func sorted(by order: AggregateSort) async throws -> [(keys: String, values: [String])] {
                try await trial.manager.aggregates(
                    Query<Book>(), by: .value(\.title), of: .minimum(\.pages), .maximum(\.pages), .minimum(\.price),
                    .maximum(\.price), .minimum(\.published), .maximum(\.published), sortedBy: [order]
                ).map { keys, values in
                    let limits: [Any?] = [values.0, values.1, values.2, values.3, values.4, values.5]
                    return (keys, limits.map { $0.map { "\($0)" } ?? "none" })
                }
            }
            let found = try await sorted(by: .key())
            try expect("the groups", found.map(\.keys), is: groups.map(\.title))
            try expect("high", found[0].values, is: ["3", "7", "3.0", "7.0", "2003-02-09", "2007-02-09"])
            try expect("low", found[1].values, is: ["-7", "-3", "-7.0", "-3.0", "1993-02-09", "1997-02-09"])
            try expect("none", found[2].values, is: Array(repeating: "none", count: 6))
            for figure in 0..<6 {
                try expect(
                    "the order by the figure \(figure)", try await sorted(by: .value(figure)).map(\.keys),
                    is: ["none", "low", "high"])
                try expect(
                    "the descending order by the figure \(figure)",
                    try await sorted(by: .value(figure, .descending)).map(\.keys), is: ["high", "low", "none"])
            }
        }.tests("aggregate.7", "aggregate.8", "figure.5"),
        Law(.queries, "A sum that has more than 64 bits partway changes no other figure and no other group") { trial in
            let rows: [(flag: Bool, integer: Int64, maybe: Int64?)] = [
                (true, .max, 7), (true, .max, nil), (false, 1, nil), (true, .min, .max), (false, 2, .min),
                (true, .min, -9), (true, 5, nil), (false, -1, 8),
            ]
            for row in rows {
                var specimen = try trial.specimen()
                (specimen.flag, specimen.integer, specimen.maybeInteger) = (row.flag, row.integer, row.maybe)
                specimen.decimal = ExactDecimal(units: row.integer, scale: 2)
                try await trial.manager.create(specimen)
            }
            let found = try await trial.manager.aggregates(
                Query<Specimen>(), by: .value(\.flag), of: .count, .sum(\.integer), .average(\.maybeInteger),
                .sum(\.decimal), .minimum(\.integer), .maximum(\.maybeInteger))
            let values = found.map(\.values)
            try expect("the groups", found.map(\.keys), is: [false, true])
            try expect("the numbers", values.map(\.0), is: [3, 5])
            try expect("the sums", values.map(\.1), is: [2, 3])
            let averages = [SumOfValues(sum: Int.min + 8, count: 2), SumOfValues(sum: Int.max - 2, count: 3)]
            try expect("the averages", values.map(\.2), is: averages)
            try expect("the sums of decimals", values.map(\.3), is: [2, 3].map { ExactDecimal(units: $0, scale: 2) })
            try expect("the least", values.map(\.4), is: [-1, .min])
            try expect("the greatest", values.map(\.5), is: [8, .max])
        }.tests("aggregate.5", "aggregate.6", "aggregate.7", "aggregate.8"),
    ]
}
