internal import LarderData
internal import LarderDomain

/// Large lists, pages, and texts in combination with orders, owned objects, and conditions.
extension OrderLaws {
    static let large: [Law] = [
        Law(.order, "A list of any number of values, in any order, finds roots in the order of the query") { trial in
            let members = try await trial.manyMembers(1_300)
            var chance = Chance(seed: 34)
            let byName = members.sorted { one, other in Value.precedes(one.values[0], other.values[0]) }
            for operand in [Operand.id, .column(0), .column(1)] {
                let values = members.map { operand == .id ? .id($0.id) : $0.values[operand == .column(0) ? 0 : 1] }
                let wanted = (values + values.prefix(400)).shuffled(using: &chance)
                for (order, expected) in [
                    ([], members), ([OrderTerm(.column(1), isDescending: true)], members.reversed()),
                    ([OrderTerm(.column(0))], byName),
                ] as [([OrderTerm], [StorageObject])] {
                    for limit in order.first?.isDescending == true ? [nil, 700] : [nil] {
                        let request = ReadRequest(
                            Press.member, where: .isIn(operand, Set(wanted)), order: order, limit: limit,
                            includesTotal: true)
                        let found = try await trial.all(request, total: 1_300)
                        try expect(found == expected, "values of \(operand) find others, by \(order)")
                    }
                }
            }
        }.tests("condition.10", "request.2"),
        Law(.order, "Roots are read with all owned objects and links, on pages of any length") { trial in
            let magazines = try await trial.manyMagazines(1_100)
            for (limit, isDescending) in [(nil, false), (nil, true), (1_050, false)] as [(Int?, Bool)] {
                let request = ReadRequest(
                    Press.magazine, order: [OrderTerm(.column(1), isDescending: isDescending)], limit: limit)
                let found = try await trial.all(request, total: nil)
                let expected = isDescending ? magazines.reversed() : magazines
                let wrong = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }
                try expect(wrong == nil, "root \(wrong?.offset ?? 0) of \(found.count) differs from what is stored")
                try expect("the number of results", found.count, is: magazines.count)
            }
            let found = try await trial.store.read(magazines.map(\.id), of: Press.magazine).sorted { $0.id < $1.id }
            try expect(found == magazines, "by ids, other roots are found, or not with all that they own")
        }.tests("ids.4", "request.8", "request.14"),
        Law(.order, "Any number of otherwise equal roots are sorted by ids, on one page and across pages") { trial in
            let counters = try (0..<1_300).map { try Counter(trial.id(), $0 % 3).object }
            var chance = Chance(seed: 144)
            _ = try await trial.store.commit(ChangeSet(inserts: counters.shuffled(using: &chance)))
            for isDescending in [false, true] {
                let counts = isDescending ? [2, 1, 0] : [0, 1, 2]
                let expected = counts.flatMap { count in
                    counters.filter { $0.values[0] == .integer(Int64(count)) }.sorted { $0.id < $1.id }
                }
                for limit in [nil, 257, 1_000] {
                    let request = ReadRequest(
                        CounterMapper.schema, order: [OrderTerm(.column(0), isDescending: isDescending)], limit: limit,
                        includesTotal: true)
                    let found = try await trial.all(request, total: counters.count)
                    try expect(found == expected, "other roots, or another order, on pages of \(limit ?? .max)")
                }
            }
        }.tests("request.3"),
        Law(.order, "A page has as many roots as its limit, and all without a limit, however many") { trial in
            let counters = try (0..<6_001).map { try Counter(trial.id(), $0).object }
            for start in stride(from: 0, to: counters.count, by: 2_500) {
                _ = try await trial.store.commit(ChangeSet(inserts: Array(counters[start...].prefix(2_500))))
            }
            for limit in [nil, 6_001, 6_000] {
                let page = try await trial.store.read(ReadRequest(CounterMapper.schema, limit: limit))
                let expected = limit == 6_000 ? counters.dropLast() : counters
                try expect("the length of a page of \(limit ?? .max)", page.items.count, is: expected.count)
                try expect(page.items == expected, "a page of \(limit ?? .max) has other roots")
                try expect("the next place", page.next?.id, is: limit == 6_000 ? counters[5_999].id : nil)
            }
        }.tests("request.7", "request.8"),
        Law(.order, "Texts are sorted by all their bytes, however long they are") { trial in
            let members = try await trial.longTexts()
            for isDescending in [false, true] {
                for limit in [nil, 4] {
                    let request = ReadRequest(
                        Press.member, order: [OrderTerm(.column(0), isDescending: isDescending)], limit: limit,
                        includesTotal: true)
                    let found = try await trial.all(request, total: members.count)
                    let expected = isDescending ? members.reversed() : members
                    try expect("the order", found.map { $0.values[1] }, is: expected.map { $0.values[1] })
                }
            }
        }.tests("request.17", "request.19"),
        Law(.queries, "Texts are compared and searched by all their bytes, however long they are") { trial in
            let members = try await trial.longTexts()
            func ask(_ what: String, _ condition: Condition, finds ranks: [Int]) async throws {
                let page = try await trial.store.read(ReadRequest(Press.member, where: condition))
                let found = Set(page.items.map { $0.values[1] })
                try expect("what \(what) finds", found, is: Set(ranks.map { .integer(Int64($0)) }))
            }
            let all = Array(members.indices)
            let ends = LongTexts.ends
            for (number, length) in LongTexts.lengths.enumerated() {
                let first = number * ends.count
                let rank = first + 3
                let text = LongTexts.text(rank)
                for (comparison, ranks) in [
                    (.equal, [rank]), (.less, Array(all[..<rank])), (.greaterOrEqual, Array(all[rank...])),
                ] as [(Comparison, [Int])] {
                    let condition = Condition.compare(.column(0), comparison, .literal(.text(text)))
                    try await ask("\(comparison) a text of \(length)", condition, finds: ranks)
                }
                try await ask("a list", .isIn(.column(0), [.text(text), .text("a")]), finds: [rank])
                let start = LongTexts.text(first)
                try await ask("the start", .hasPrefix(.column(0), start + "a"), finds: [first + 2, first + 3])
                try await ask("another start", .hasPrefix(.column(0), start + "c"), finds: [])
                let part = String(start.suffix(20)) + "a"
                let others = all.filter { [2, 3].contains($0 % ends.count) }
                try await ask("a part", .contains(.column(0), part), finds: others)
            }
            try await ask("the end", .contains(.column(0), "ab"), finds: all.filter { $0 % ends.count == 3 })
        }.tests(
            "comparison.1", "comparison.3", "comparison.6", "condition.8", "condition.10", "condition.12",
            "condition.14"),
    ]
}

/// Texts with a common prefix of the given number of bytes and different ends.
private enum LongTexts {
    static let lengths = [1_000, 5_000, 70_000]
    /// In the order of their bytes.
    static let ends = ["", "B", "a", "ab", "b", "\u{E4}"]

    /// The texts in order, grouped by length.
    static func text(_ rank: Int) -> String {
        let number = rank / ends.count
        return "\(number)" + String(repeating: "0123456789", count: lengths[number] / 10) + ends[rank % ends.count]
    }
}

extension Trial {
    /// Stores members with long names. The cards, from 0, give the order of the names.
    fileprivate func longTexts() async throws -> [StorageObject] {
        var chance = Chance(seed: 55)
        let ranks = 0..<(LongTexts.lengths.count * LongTexts.ends.count)
        let members = ranks.shuffled(using: &chance).map { rank in
            Press.member(rawID(), LongTexts.text(rank), card: Int64(rank))
        }
        _ = try await store.commit(ChangeSet(inserts: members))
        return members.sorted { Value.precedes($0.values[1], $1.values[1]) }
    }

    /// Stores magazines with ascending ids and issues. Each owns and links objects, at both depths.
    fileprivate func manyMagazines(_ count: Int) async throws -> [StorageObject] {
        let topics = (0..<2).map { Press.topic(rawID(), "Topic \($0)") }
        let magazines = (0..<count).map { number in
            let topic = topics[number % 2].id
            let footnote = Press.footnote(rawID(), "\(number)", topic: topic)
            let article = Press.article(rawID(), "\(number)", footnotes: [footnote], topics: [topic])
            return Press.magazine(
                rawID(), "\(number)", issue: Int64(number), articles: [article], topics: [topic, topics[0].id])
        }
        var chance = Chance(seed: 89)
        _ = try await store.commit(ChangeSet(inserts: topics + magazines.shuffled(using: &chance)))
        return magazines
    }

    /// All pages of a request, joined.
    fileprivate func all(_ request: ReadRequest, total: Int?) async throws -> [StorageObject] {
        var (request, found): (ReadRequest, [StorageObject]) = (request, [])
        repeat {
            let page = try await store.read(request)
            try expect("the total", page.total, is: total)
            try expect(page.next == nil || !page.items.isEmpty, "the pages do not end")
            found += page.items
            request.after = page.next
        } while request.after != nil
        return found
    }
}
