internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sums at the limits of 64 bits, and days of instants.
extension AggregateLaws {
    static let exact: [Law] = [
        Law(.queries, "A sum is exact, also if a partial one has more than 64 bits") { trial in
            let values: [Int64] = [.max, .max, 5, .max, .min, .min, .min, -1, 1 << 32, -(1 << 32) - 1, 4_294_967_295]
            for value in values { try await trial.manager.create(Counter(trial.id(), Int(value))) }
            let sum = try await trial.manager.aggregates(Query<Counter>(), of: .sum(\.count)).map(\.values)
            let expected: Int128 = values.reduce(0) { $0 + Int128($1) }
            try expect("the sum", sum, is: [Int(expected)])
            let greatest = Int(Int64.max)
            let beyond = Query<Counter>(#Predicate { $0.count == greatest })
            let errors = [
                try await failure(of: "a sum beyond 64 bits") {
                    try await trial.manager.aggregates(beyond, of: .sum(\.count))
                },
                try await failure(of: "an average of a sum beyond 64 bits") {
                    try await trial.manager.aggregates(beyond, of: .average(\.count))
                },
            ]
            for error in errors {
                guard case .unsupportedQuery(let reason) = error, reason.contains("64 bits") else {
                    throw LawBroken("unexpected error: \(error)")
                }
            }
            let count = try await trial.manager.aggregates(beyond, of: .count, .minimum(\.count))
            try expect("the number", count.map(\.values.0), is: [3])
        }.tests("aggregate.6", "figure.1"),
        Law(.queries, "Instants and days are grouped by day, month and year") { trial in
            let day: Int64 = 86_400_000_000
            let instants: [Int64] = [
                -719_162 * day, -day - 1, -day, -1, 0, day - 1, day, 31 * day, 365 * day, 2_932_896 * day + day - 1,
            ]
            for (index, instant) in instants.enumerated() {
                var book = Book(trial.id(), "book \(index)")
                (book.printed, book.pages) = (Timestamp(microseconds: instant), index)
                if index % 2 == 0 { book.published = CalendarDay(year: 2024 + index / 4, month: 2, day: 20 + index) }
                try await trial.manager.create(book)
            }
            func keys(_ grouping: Grouping<Book, CalendarDay>) async throws -> [String] {
                try await trial.manager.aggregates(Query<Book>(), by: grouping, of: .count, .maximum(\.pages))
                    .map { "\($0.keys) \($0.values.0) \($0.values.1 ?? -1)" }
            }
            try expect(
                "the days", try await keys(.day(of: \.printed)),
                is: [
                    "0001-01-01 1 0", "1969-12-30 1 1", "1969-12-31 2 3", "1970-01-01 2 5", "1970-01-02 1 6",
                    "1970-02-01 1 7", "1971-01-01 1 8", "9999-12-31 1 9",
                ])
            try expect(
                "the months", try await keys(.month(of: \.printed)),
                is: [
                    "0001-01-01 1 0", "1969-12-01 3 3", "1970-01-01 3 6", "1970-02-01 1 7", "1971-01-01 1 8",
                    "9999-12-01 1 9",
                ])
            try expect(
                "the years", try await keys(.year(of: \.printed)),
                is: ["0001-01-01 1 0", "1969-01-01 3 3", "1970-01-01 4 7", "1971-01-01 1 8", "9999-01-01 1 9"])
            try expect(
                "the months of days", try await keys(.month(of: \.published)),
                is: ["2024-02-01 2 2", "2025-02-01 2 6", "2026-02-01 1 8"])
            try expect("the days of days", try await keys(.day(of: \.published)).count, is: 5)
            var book = Book(trial.id(), "beyond")
            book.printed = Timestamp(microseconds: instants[0] - 1)
            try await trial.manager.create(book)
            let error = try await failure(of: "a day before the year 1") { try await keys(.day(of: \.printed)) }
            guard case .unsupportedQuery = error else { throw LawBroken("unexpected error: \(error)") }
        }.tests("aggregate.1", "aggregate.2"),
    ]
}
