internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The groups that an entity is in.
extension AggregateLaws {
    static let groups: [Law] = [
        Law(.queries, "Entities are grouped by parts of value objects; those without the object are in no group") {
            trial in
            let venues = try trial.venues()
            for venue in venues { try await trial.manager.create(venue) }
            let found = try await trial.manager.aggregates(
                Query<Venue>(), by: .value(\.branch, part: \.city), .value(\.place.city), of: .count,
                .sum(\.fee, part: \.amount))
            var groups: [[String]: [Venue]] = [:]
            for venue in venues {
                if let branch = venue.branch { groups[[branch.city, venue.place.city], default: []].append(venue) }
            }
            try expect("the number of groups", found.count, is: groups.count)
            for (keys, values) in found {
                let group = groups[[keys.0, keys.1]] ?? []
                try expect("the number of \(keys)", values.0, is: group.count)
                try expect("the fees of \(keys)", values.1, is: group.reduce(0) { $0 + ($1.fee?.amount ?? 0) })
            }
        }.tests("aggregate.1", "aggregate.6", "figure.3"),
        Law(.queries, "An entity without an instant is in no group of days, months and years") { trial in
            let day: Int64 = 86_400_000_000
            for instant in [nil, -1, 0, nil, 40 * day, nil] as [Int64?] {
                var parcel = Parcel(id: trial.id())
                parcel.maybeSent = instant.map { Timestamp(microseconds: $0).date }
                try await trial.manager.create(parcel)
            }
            func keys(_ grouping: Grouping<Parcel, CalendarDay>) async throws -> [String] {
                try await trial.manager.aggregates(Query<Parcel>(), by: grouping, of: .count)
                    .map { "\($0.keys) \($0.values)" }
            }
            try expect(
                "the days", try await keys(.day(of: \.maybeSent)), is: ["1969-12-31 1", "1970-01-01 1", "1970-02-10 1"])
            try expect(
                "the months", try await keys(.month(of: \.maybeSent)),
                is: ["1969-12-01 1", "1970-01-01 1", "1970-02-01 1"])
            try expect("the years", try await keys(.year(of: \.maybeSent)), is: ["1969-01-01 1", "1970-01-01 2"])
        }.tests("aggregate.2", "figure.3"),
        Law(.queries, "Groups of texts differ by the bytes of the texts") { trial in
            let long = String(repeating: "x", count: 600)
            let titles = ["", " ", "A", "A ", "A\u{308}", "AB", "a", "ss", "x", long, long + "y", "ß", "Ä", "ǆ"]
            for (index, title) in titles.enumerated() {
                var book = Book(trial.id(), title)
                book.pages = index
                try await trial.manager.create(book)
            }
            let found = try await trial.manager.aggregates(
                Query<Book>(), by: .value(\.title), of: .count, .sum(\.pages))
            // A decomposed text is stored composed.
            let expected = titles.enumerated().filter { $0.offset != 4 }.sorted { $0.element.isBelow($1.element) }
            try expect("the texts", found.map(\.keys), is: expected.map(\.element))
            try expect("the numbers", found.map(\.values.0), is: expected.map { $0.element == "Ä" ? 2 : 1 })
            try expect(
                "the sums", found.map(\.values.1), is: expected.map { $0.element == "Ä" ? $0.offset + 4 : $0.offset })
        }.tests("aggregate.1", "figure.5"),
        Law(.queries, "Groups by a relationship include members that the condition does not name") { trial in
            let genres = try await trial.createBooks(linkedTo: [[0, 1], [1, 2], [2]])
            let second = genres[1]
            let found = try await trial.manager.aggregates(
                Query<Book>(#Predicate { $0.genres.contains(second) }), by: .members(\.genres), of: .count,
                .sum(\.pages))
            try expect(
                "the groups", found.map { "\($0.keys) \($0.values.0) \($0.values.1)" },
                is: ["\(genres[0]) 1 10", "\(genres[1]) 2 21", "\(genres[2]) 1 11"])
        }.tests("aggregate.3", "figure.4"),
        Law(.queries, "Groups by a relationship twice are the pairs of its members") { trial in
            let genres = try await trial.createBooks(linkedTo: [[0, 1], [1, 1, 2], [], [1, 0]])
            let found = try await trial.manager.aggregates(
                Query<Book>(), by: .members(\.genres), .members(\.genres), of: .count, .sum(\.pages))
            let expected = [
                (0, 0, "2 23"), (0, 1, "2 23"), (1, 0, "2 23"), (1, 1, "3 34"), (1, 2, "1 11"), (2, 1, "1 11"),
                (2, 2, "1 11"),
            ].map { "\(genres[$0.0]) \(genres[$0.1]) \($0.2)" }
            try expect(
                "the pairs", found.map { "\($0.keys.0) \($0.keys.1) \($0.values.0) \($0.values.1)" }, is: expected)
        }.tests("aggregate.3", "figure.4"),
        Law(.queries, "An entity counts once, however many of its owned objects and links satisfy the condition") {
            trial in
            let genres = try await trial.createBooks(linkedTo: [[0, 1], [1, 0], [2]])
            let (first, second) = (genres[0], genres[1])
            func figures(_ predicate: Predicate<Book>) async throws -> [String] {
                try await trial.manager.aggregates(
                    Query(predicate), by: .value(\.inPrint), of: .count, .sum(\.pages), .average(\.pages)
                ).map { "\($0.keys) \($0.values.0) \($0.values.1) \($0.values.2.count)" }
            }
            try expect(
                "the figures by owned objects",
                try await figures(#Predicate { $0.chapters.contains { $0.minutes == 5 } }), is: ["true 3 33 3"])
            try expect(
                "the figures by links",
                try await figures(#Predicate { $0.genres.contains(first) || $0.genres.contains(second) }),
                is: ["true 2 21 2"])
        }.tests("aggregate.5", "aggregate.6"),
        Law(.queries, "Groups in a transaction lack the members that it has deleted") { trial in
            let genres = try await trial.createBooks(linkedTo: Array(repeating: [0, 1], count: 12))
            func figures(_ manager: any PersistencyManager) async throws -> [String] {
                try await manager.aggregates(Query<Book>(), by: .members(\.genres), of: .count, .sum(\.pages))
                    .map { "\($0.keys) \($0.values.0) \($0.values.1)" }
            }
            let sum = (10..<22).reduce(0, +)
            let before = genres[..<2].map { "\($0) 12 \(sum)" }
            try expect("the groups", try await figures(trial.manager), is: before)
            try await trial.manager.transaction { manager in
                try await manager.delete(genres[0])
                try expect("the groups in the transaction", try await figures(manager), is: [before[1]])
            }
            try expect("the groups after it", try await figures(trial.manager), is: [before[1]])
        }.tests("aggregate.3", "transaction.3"),
    ]
}

extension Trial {
    /// Stores three genres, and books with links to them: the first one with 10 pages and a chapter, each further one
    /// with one page and one chapter more.
    fileprivate func createBooks(linkedTo links: [[Int]]) async throws -> [EntityID<Genre>] {
        let genres = (0..<3).map { Genre(id(), "genre \($0)") }
        try await manager.create(contentsOf: genres)
        for (index, numbers) in links.enumerated() {
            var book = Book(id(), "book \(index)")
            (book.genres, book.pages) = (numbers.map { genres[$0].id }, 10 + index)
            book.chapters = (0...index).map { Chapter(id(), "chapter \($0)", minutes: 5) }
            try await manager.create(book)
        }
        return genres.map(\.id)
    }
}
