internal import LarderData
internal import LarderDomain

/// Counts and sums over columns with `null`, and over many values and words. Plain Swift gives the expected results.
extension QueryLaws {
    static let sums: [Law] = [
        Law(.queries, "Counts by a column of any type leave out null, and no other value") { trial in
            let objects = try await trial.specimensWithNulls()
            for column in SpecimenMapper.schema.columns.indices {
                let isNull = Condition.compare(.column(column), .equal, .literal(.null))
                for (condition, expected) in [
                    (.always(true), objects), (isNull, []), (.not(isNull), objects),
                    (.compare(.column(0), .greater, .literal(.integer(1))), objects.filter { $0.integer > 1 }),
                ] as [(Condition, [StorageObject])] {
                    let values = expected.map { $0.values[column] }.filter { $0 != .null }
                    let counts = try await trial.store.counts(
                        CountRequest(SpecimenMapper.schema, where: condition, by: .column(column)))
                    try expect(
                        "the counts by column \(column) where \(condition)", counts,
                        is: values.reduce(into: [:]) { $0[$1, default: 0] += 1 })
                }
            }
        }.tests("counts.2", "counts.6"),
        Law(.queries, "Counts by a column that is null in some of many roots have an entry for each value") { trial in
            let members = (0..<900).map { number in
                Press.member(trial.rawID(), "\(number)", card: number % 3 == 0 ? nil : Int64(number - 450))
            }
            _ = try await trial.store.commit(ChangeSet(inserts: members))
            let byCard = try await trial.store.counts(
                CountRequest(Press.member, where: .always(true), by: .column(1)))
            let cards = (0..<900).filter { $0 % 3 != 0 }.map { Value.integer(Int64($0 - 450)) }
            try expect("the number of counts", byCard.count, is: 600)
            try expect(byCard == Dictionary(uniqueKeysWithValues: cards.map { ($0, 1) }), "the counts are others")
        }.tests("counts.2", "counts.5", "counts.6"),
        Law(
            .queries, "A sum over owned objects is that of those that satisfy its condition, also where others are null"
        ) {
            trial in
            let (magazines, adverts) = try await trial.magazinesWithPrices()
            for filter in PriceFilter.all {
                let operand = Operand.childSum(relationship: 1, column: 1, where: filter.condition)
                let sums = adverts.map { list in list.filter(filter.isMatch).reduce(0) { $0 + $1.price } }
                func found(_ condition: Condition) async throws -> [RawID] {
                    try await trial.store.read(ReadRequest(Press.magazine, where: condition)).items.map(\.id)
                }
                for sum in Set(sums.prefix(2) + sums.suffix(9)).sorted() {
                    for (comparison, test) in [(.equal, ==), (.less, <), (.greaterOrEqual, >=)]
                        as [(Comparison, (Int64, Int64) -> Bool)]
                    {
                        let expected = zip(magazines, sums).filter { test($0.1, sum) }.map(\.0.id)
                        let ids = try await found(.compare(operand, comparison, .literal(.integer(sum))))
                        try expect("the roots with a sum \(comparison.rawValue) \(sum) of \(filter)", ids, is: expected)
                    }
                }
                let more = Operand.arithmetic(operand, .add, .childCount(1))
                let expected = zip(magazines, zip(sums, adverts)).filter { _, list in
                    let (value, overflows) = list.0.addingReportingOverflow(Int64(list.1.count))
                    return !overflows && value > 3
                }.map(\.0.id)
                let ids = try await found(.compare(more, .greater, .literal(.integer(3))))
                try expect("the roots with a sum and a length above 3 of \(filter)", ids, is: expected)
                for isDescending in [false, true] {
                    let sorted = zip(magazines, sums).sorted { one, other in
                        if one.1 == other.1 { return one.0.id < other.0.id }
                        return (one.1 < other.1) != isDescending
                    }
                    try await trial.expectPages(
                        by: OrderTerm(operand, isDescending: isDescending), are: sorted.map { ($0.0.id, $0.1) })
                }
            }
        }.tests("operand.5", "operand.6", "operand.10"),
        Law(.queries, "The rank of a search is the sum of the weights of all words that it finds, however many") {
            trial in
            func words(_ count: Int) -> String { (0..<count).map { "w\($0)" }.joined(separator: " ") }
            let counts = [(1, 0), (0, 9), (0, 700), (80, 90), (250, 0), (2, 900), (17, 130)]
            let letters = counts.map { Letter(trial.id(), subject: words($0.0), body: words($0.1)) }
            try await trial.manager.create(contentsOf: letters)
            // A word in both fields has the weights of both.
            let ranks = counts.map { Int64(8 * $0.0 + $0.1) }
            let sorted = zip(letters, ranks).sorted { $0.1 == $1.1 ? $0.0.id.rawValue < $1.0.id.rawValue : $0.1 > $1.1 }
            let found = try await trial.manager.read(Query<Letter>(search: "w*"))
            try expect("the letters by rank", found.entities.map(\.id), is: sorted.map(\.0.id))
            let lists = LetterMapper.mapping.schema.children
            guard let list = lists.firstIndex(where: { $0.name == "words" }) else { throw LawBroken("no words") }
            func ranked(_ start: String, _ rank: Int64) async throws -> [RawID] {
                let isRank = Condition.compare(
                    .rank(relationship: list, [start]), .equal, .literal(.integer(rank)))
                return try await trial.store.read(ReadRequest(LetterMapper.mapping.schema, where: isRank)).items.map(
                    \.id)
            }
            for (letter, sum) in sorted {
                try expect("the letters of rank \(sum)", try await ranked(" w", sum), is: [letter.id.rawValue])
            }
            try expect("the letters of rank 0", try await ranked(" x", 0), is: letters.map(\.id.rawValue).sorted())
        }.tests("operand.21", "operand.22", "query.1"),
        Law(.queries, "A search for 16 words finds and ranks by all of them") { trial in
            let all = (0..<16).map { "word\($0)" }
            let letters = (0..<16).map { number in
                Letter(
                    trial.id(), subject: all.suffix(number).joined(separator: " "),
                    body: all.filter { $0 != "word15" || number != 3 }.joined(separator: ", "))
            }
            try await trial.manager.create(contentsOf: letters)
            let without = Letter(trial.id(), subject: all.dropLast().joined(separator: " "))
            try await trial.manager.create(without)
            let found = try await trial.manager.read(
                Query<Letter>(search: all.joined(separator: " "), includesTotal: true))
            try expect("the letters by rank", found.entities.map(\.id), is: letters.reversed().map(\.id))
            try expect("the total", found.total, is: 16)
        }.tests("operand.5", "query.1"),
    ]
}

extension StorageObject {
    /// The integer in the first column.
    fileprivate var integer: Int64 { if case .integer(let integer) = values[0] { integer } else { 0 } }
}

private struct Price {
    let text: String?
    let price: Int64
    let sponsor: RawID?
}

/// A condition on adverts, in both forms.
private struct PriceFilter: CustomStringConvertible, Sendable {
    let description: String
    let condition: Condition
    let isMatch: @Sendable (Price) -> Bool

    static let all = [
        PriceFilter(description: "all", condition: .always(true)) { _ in true },
        PriceFilter(description: "none", condition: .always(false)) { _ in false },
        PriceFilter(description: "those without a text", condition: text(.equal, .null)) { $0.text == nil },
        PriceFilter(description: "those with a text", condition: text(.notEqual, .null)) { $0.text != nil },
        PriceFilter(description: "a", condition: text(.equal, .text("a"))) { $0.text == "a" },
        PriceFilter(description: "not a", condition: .not(text(.equal, .text("a")))) { $0.text != "a" },
        PriceFilter(description: "the empty text", condition: .hasPrefix(.column(0), "")) { $0.text != nil },
        PriceFilter(
            description: "a or null", condition: .isIn(.column(0), [.text("a"), .null])
        ) { $0.text == nil || $0.text == "a" },
        PriceFilter(
            description: "those without a sponsor", condition: .compare(.column(2), .equal, .literal(.null))
        ) { $0.sponsor == nil },
    ]

    private static func text(_ comparison: Comparison, _ value: Value) -> Condition {
        .compare(.column(0), comparison, .literal(value))
    }
}

extension Trial {
    /// Stores specimens whose optional values are missing, empty, zero, or others.
    fileprivate func specimensWithNulls() async throws -> [StorageObject] {
        let objects = try (0..<24).map { number in
            var specimen = try specimen()
            specimen.integer = Int64(number % 4)
            (specimen.real, specimen.text, specimen.flag) = (
                [0, -1.5][number % 2], ["", "a"][number % 2], number % 3 == 0
            )
            specimen.maybeInteger = [nil, 0, -1, .max][number % 4]
            specimen.maybeReal = [nil, 0, 0.5][number % 3]
            specimen.maybeText = [nil, "", "null", "A", "a"][number % 5]
            specimen.maybeFlag = [nil, false, true][number % 3]
            specimen.maybeInstant = [nil, Timestamp(microseconds: 0), Timestamp(microseconds: -1)][number % 3]
            specimen.maybeDay = number % 2 == 0 ? nil : try day()
            specimen.maybeBytes = [nil, [], [0], [0, 0]][number % 4]
            specimen.maybeID = [nil, RawID(high: 0, low: 0), RawID(high: 1, low: 0)][number % 3]
            return try SpecimenMapper.storageObject(from: specimen)
        }
        _ = try await store.commit(ChangeSet(inserts: objects))
        return objects
    }

    /// Stores magazines with adverts, of which some lack a text or a sponsor.
    fileprivate func magazinesWithPrices() async throws -> (magazines: [StorageObject], adverts: [[Price]]) {
        let member = Press.member(rawID(), "Ada")
        let texts: [String?] = [nil, "a", "", "b", nil]
        let prices: [Int64] = [5, -7, 0, 1 << 40, -(1 << 40), 2]
        var lists = (0..<7).map { magazine in (0..<magazine).map { prices[(2 * magazine + $0) % 6] } }
        // Sums that differ, and are equal as reals. No part of them overflows, in any order.
        lists += [
            [1 << 53, 1], [1 << 53], [1, 1 << 53, 2], [.max - 5, 5], [.max - 6, 5], [.min + 3, -3], [.min + 3, -1, -1],
        ]
        let adverts = lists.enumerated().map { magazine, list in
            list.enumerated().map { number, price in
                Price(
                    text: texts[(magazine + number) % 5], price: price, sponsor: number % 2 == 0 ? nil : member.id)
            }
        }
        let magazines = adverts.enumerated().map { number, list in
            let objects = list.map { price in
                var advert = Press.advert(rawID(), price: price.price, sponsor: price.sponsor)
                advert.values[0] = price.text.map(Value.text) ?? .null
                return advert
            }
            return Press.magazine(rawID(), "M \(number)", adverts: objects)
        }
        _ = try await store.commit(ChangeSet(inserts: [member] + magazines))
        return (magazines, adverts)
    }

    /// Fails the law unless the pages by one term have these ids and values.
    fileprivate func expectPages(by term: OrderTerm, are expected: [(id: RawID, value: Int64)]) async throws {
        for limit in [3, 100] {
            var (request, found): (ReadRequest, [RawID]) = (
                ReadRequest(Press.magazine, order: [term], limit: limit), []
            )
            repeat {
                let page = try await store.read(request)
                found += page.items.map(\.id)
                if let next = page.next {
                    try expect("the position after \(found.count) roots", next.id, is: expected[found.count - 1].id)
                    let value = expected[found.count - 1].value
                    try expect("the values at it", next.values, is: [.integer(value)])
                }
                request.after = page.next
            } while request.after != nil && found.count < expected.count
            try expect("the order by \(term.operand)", found, is: expected.map(\.id))
        }
    }
}
