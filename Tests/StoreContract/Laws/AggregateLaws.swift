internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Laws of counts, sums and limits of values, by groups.
enum AggregateLaws {
    static let all: [Law] = [
        Law(.queries, "Aggregates without keys are one group, also without entities") { trial in
            let query = Query<Parcel>(#Predicate { $0.depth < 100 })
            for count in 0...1 {
                let found = try await trial.manager.aggregates(
                    query, of: .count, .sum(\.price), .average(\.maybePrice), .minimum(\.depth), .maximum(\.sent))
                try expect("the number of groups", found.count, is: 1)
                let group = try expectFirst(found).values
                try expect("the number of parcels", group.0, is: count)
                try expect("the sum", group.1, is: ExactDecimal(units: Int64(count), scale: 0))
                try expect("the average", group.2, is: SumOfValues(sum: 0, count: 0))
                try expect("the minimum", group.3, is: count == 0 ? nil : 0)
                try expect("the maximum", group.4 == nil, is: count == 0)
                try await trial.createParcels([(1, { $0.price = 1 })])
            }
            let byState = try await trial.manager.aggregates(
                Query<Parcel>(#Predicate { $0.depth > 100 }), by: .value(\.state), of: .count)
            try expect("the groups of no entities", byState.isEmpty, is: true)
        }.tests("aggregate.9", "figure.2"),
        Law(.queries, "Aggregates by up to three keys are those of plain Swift") { trial in
            let parcels = try await trial.randomParcels(120)
            let found = try await trial.manager.aggregates(
                Query<Parcel>(#Predicate { $0.stamps > 0 }), by: .value(\.state), .value(\.maybeDepth),
                .month(of: \.sent),
                of: .count, .sum(\.price), .average(\.maybePrice), .minimum(\.weight), .maximum(\.maybeSent),
                .sum(\.transit))
            var groups: [[AnyHashable]: [Parcel]] = [:]
            for parcel in parcels where parcel.stamps > 0 {
                guard let depth = parcel.maybeDepth, let month = parcel.sent.firstOfMonth else { continue }
                groups[[parcel.state, depth, month], default: []].append(parcel)
            }
            try expect("the number of groups", found.count, is: groups.count)
            for (keys, values) in found {
                let group = groups[[keys.0, keys.1, keys.2]] ?? []
                let prices = group.compactMap(\.maybePrice)
                try expect("the number of \(keys)", values.0, is: group.count)
                try expect("the sum of \(keys)", values.1, is: group.reduce(0) { $0 + $1.price })
                try expect("the average of \(keys)", values.2.sum, is: prices.reduce(0, +))
                try expect("the number of prices of \(keys)", values.2.count, is: prices.count)
                try expect("the minimum of \(keys)", values.3, is: group.map(\.weight).min())
                try expect("the maximum of \(keys)", values.4, is: group.compactMap(\.maybeSent).max())
                try expect("the duration of \(keys)", values.5, is: group.reduce(.zero) { $0 + $1.transit })
            }
        }.tests("aggregate.1", "aggregate.5", "aggregate.6", "aggregate.7", "aggregate.8", "figure.3"),
        Law(.queries, "Groups are sorted by keys and figures, and limited") { trial in
            let depths: [Int32] = [3, 1, 2, 1, 3, 3, 4]
            for (index, depth) in depths.enumerated() {
                try await trial.createParcels([
                    (
                        1,
                        { parcel in
                            (parcel.depth, parcel.price) = (depth, ExactDecimal(units: Int64(index), scale: 0))
                        }
                    )
                ])
            }
            func groups(_ order: [AggregateSort], limit: Int? = nil) async throws -> [Int32] {
                try await trial.manager.aggregates(
                    Query<Parcel>(), by: .value(\.depth), of: .count, .sum(\.price), sortedBy: order, limit: limit
                ).map(\.keys)
            }
            try expect("the groups", try await groups([]), is: [1, 2, 3, 4])
            try expect("the last keys first", try await groups([.key(0, .descending)]), is: [4, 3, 2, 1])
            try expect("by number, then key", try await groups([.value(0)]), is: [2, 4, 1, 3])
            try expect("by sum", try await groups([.value(1, .descending)]), is: [3, 4, 1, 2])
            let byNumber = try await groups([.value(0, .descending)])
            try expect("the greatest number first, then by key", byNumber, is: [3, 1, 2, 4])
            let order: [AggregateSort] = [.value(0), .value(1, .descending)]
            try expect("by number, then sum", try await groups(order), is: [4, 2, 1, 3])
            try expect("the first two", try await groups(order, limit: 2), is: [4, 2])
            for wrong in [AggregateSort.key(1), .value(2)] {
                let error = try await failure(of: "an order by \(wrong)") { try await groups([wrong]) }
                guard case .unsupportedQuery = error else { throw LawBroken("unexpected error: \(error)") }
            }
        }.tests("figure.5"),
        Law(.queries, "An entity is in one group for each member of a relationship") { trial in
            let genres = (0..<3).map { Genre(trial.id(), "genre \($0)") }
            for genre in genres { try await trial.manager.create(genre) }
            let links = [[0, 1], [1], [], [2, 1, 2]]
            for (index, genresOfBook) in links.enumerated() {
                var book = Book(trial.id(), "book \(index)")
                (book.genres, book.pages) = (genresOfBook.map { genres[$0].id }, 10 + index)
                book.chapters = (0..<index).map { Chapter(trial.id(), "chapter \($0)") }
                try await trial.manager.create(book)
            }
            let byGenre = try await trial.manager.aggregates(
                Query<Book>(#Predicate { $0.inPrint }), by: .members(\.genres), of: .count, .sum(\.pages),
                .maximum(\.pages))
            let found = byGenre.map { "\($0.keys) \($0.values.0) \($0.values.1) \($0.values.2 ?? 0)" }
            let expected = [(0, "1 10 10"), (1, "3 34 13"), (2, "1 13 13")].map { "\(genres[$0.0].id) \($0.1)" }
            try expect("the groups by genre", found, is: expected)
            let byBoth = try await trial.manager.aggregates(
                Query<Book>(), by: .members(\.genres), .size(\.chapters), of: .sum(\.pages))
            try expect("the groups by genre and chapters", byBoth.map(\.values), is: [10, 10, 11, 13, 13])
            let bySize = try await trial.manager.aggregates(Query<Book>(), by: .size(\.chapters), of: .count)
            try expect("the groups by chapters", bySize.map(\.keys), is: [0, 1, 2, 3])
        }.tests("aggregate.3", "aggregate.4", "figure.4"),
        Law(.queries, "Aggregates in a transaction include its changes") { trial in
            let parcels = try await trial.createParcels([
                (1, { ($0.depth, $0.price) = (1, 5) }), (1, { ($0.depth, $0.price) = (1, 7) }),
                (1, { ($0.depth, $0.price) = (2, 9) }), (1, { ($0.depth, $0.price) = (2, 1) }),
            ])
            let fresh = Parcel(id: trial.id())
            try await trial.manager.transaction { manager in
                func figures() async throws -> [String] {
                    try await manager.aggregates(
                        Query<Parcel>(#Predicate { $0.price != 1 }), by: .value(\.depth), of: .count, .sum(\.price),
                        .minimum(\.price), .maximum(\.price)
                    ).map { "\($0.keys): \($0.values)" }
                }
                func text(_ depth: Int, _ count: Int, _ prices: [ExactDecimal]) -> String {
                    let sum = prices.reduce(ExactDecimal(units: 0, scale: 2), +)
                    let (least, greatest) = (prices.min()?.rescaled(to: 2), prices.max()?.rescaled(to: 2))
                    return "\(depth): \((count, sum, least, greatest))"
                }
                try expect("before", try await figures(), is: [text(1, 2, [5, 7]), text(2, 1, [9])])
                try await manager.delete(parcels[0].id)
                try await manager.change(parcels[2].id) { $0.price = 2 }
                try await manager.change(parcels[3].id) { ($0.depth, $0.price) = (1, 8) }
                try await manager.create(fresh)
                try expect(
                    "after", try await figures(), is: [text(0, 1, [0]), text(1, 2, [7, 8]), text(2, 1, [2])])
            }
        }.tests("aggregate.5", "aggregate.7"),
    ]
}

private func expectFirst<Element>(_ elements: [Element]) throws(LawBroken) -> Element {
    guard let first = elements.first else { throw LawBroken("no group") }
    return first
}

extension Date {
    fileprivate var firstOfMonth: CalendarDay? {
        guard let zone = TimeZone(secondsFromGMT: 0), let day = CalendarDay(Timestamp(self), in: zone) else {
            return nil
        }
        return CalendarDay(year: day.year, month: day.month, day: 1)
    }
}

extension Trial {
    @discardableResult
    fileprivate func createParcels(
        _ kinds: [(count: Int, fill: (inout Parcel) -> Void)]
    ) async throws -> [Parcel] {
        var parcels: [Parcel] = []
        for kind in kinds {
            for _ in 0..<kind.count {
                var parcel = Parcel(id: id())
                kind.fill(&parcel)
                try await manager.create(parcel)
                parcels.append(parcel)
            }
        }
        return parcels
    }

    fileprivate func randomParcels(_ count: Int) async throws -> [Parcel] {
        var chance = Chance(seed: 43)
        var parcels: [Parcel] = []
        for _ in 0..<count {
            var parcel = Parcel(id: id())
            parcel.state = chance.pick(Parcel.State.allCases)
            parcel.sent = Timestamp(microseconds: Int64.random(in: -9...9, using: &chance) * 1_000_000_000_000).date
            parcel.price = ExactDecimal(units: Int64.random(in: -1_000_000...1_000_000, using: &chance), scale: 2)
            parcel.weight = Float(Int.random(in: -50...50, using: &chance)) / 4
            parcel.transit = .microseconds(Int64.random(in: -1_000...1_000, using: &chance))
            parcel.stamps = UInt32.random(in: 0...3, using: &chance)
            if !chance.happens(oneIn: 4) { parcel.maybeDepth = chance.pick([-1, 0, 1]) }
            if !chance.happens(oneIn: 3) { parcel.maybeSent = parcel.sent }
            if !chance.happens(oneIn: 3) { parcel.maybePrice = ExactDecimal(units: Int64(parcels.count), scale: 2) }
            try await manager.create(parcel)
            parcels.append(parcel)
        }
        return parcels
    }
}
