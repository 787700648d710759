internal import LarderData
internal import LarderDomain

/// Combined conditions on owned objects and links. The kit's interpreter gives the expected result; another law
/// compares the interpreter with an oracle.
extension QueryLaws {
    static let owned: [Law] = [
        Law(.queries, "Different owned objects or links may satisfy the conditions of a query") { trial in
            let topics = (0..<2).map { Press.topic(trial.rawID(), "Topic \($0)") }
            let ids = topics.map(\.id)
            let magazines = lists(trial, ids).map { Press.magazine(trial.rawID(), "", articles: $0.0, topics: $0.1) }
            _ = try await trial.store.commit(ChangeSet(inserts: topics + magazines))
            let isA = Condition.compare(.column(0), .equal, .literal(.text("A")))
            let isOne = Condition.compare(.column(1), .equal, .literal(.integer(1)))
            let (hasFirst, hasSecond) = (
                Condition.links(relationship: 0, id: ids[0]), Condition.links(relationship: 0, id: ids[1])
            )
            let footnoteIsA = Condition.anyChild(relationship: 0, isA)
            let footnoteIsB = Condition.anyChild(
                relationship: 0, .compare(.column(0), .equal, .literal(.text("B"))))
            let ofArticle = [
                isA, isOne, hasFirst, hasSecond, footnoteIsA, footnoteIsB, .not(isA), .not(footnoteIsA),
            ]
            let parts = [hasFirst, hasSecond] + ofArticle.map { Condition.anyChild(relationship: 0, $0) }
            var conditions: [Condition] = parts.map { .not($0) }
            for (one, other) in pairs(parts) {
                conditions += [
                    .and([one, other]), .or([one, other]), .and([one, .not(other)]), .not(.or([one, other])),
                ]
            }
            for (one, other) in pairs(ofArticle) {
                conditions.append(.anyChild(relationship: 0, .and([one, other])))
                conditions.append(.anyChild(relationship: 0, .or([one, other])))
            }
            conditions.append(.and(parts))
            for condition in conditions {
                let expected = magazines.filter { condition.holds(for: $0) }.map(\.id)
                let page = try await trial.store.read(
                    ReadRequest(Press.magazine, where: condition, includesTotal: true))
                try expect("what \(condition) finds", page.items.map(\.id), is: expected)
                try expect("the total of \(condition)", page.total, is: expected.count)
                let counts = try await trial.store.counts(
                    CountRequest(Press.magazine, where: condition, by: .column(2)))
                try expect("the counts of \(condition)", counts.values.reduce(0, +), is: expected.count)
            }
        }.tests("condition.1", "condition.15", "condition.16", "condition.18", "counts.2"),
        Law(.queries, "Conditions and sums search whole lists of links and owned objects, however long") { trial in
            let count = 200
            let topics = (0..<count).map { Press.topic(trial.rawID(), "Topic \($0)") }
            let ids = topics.map(\.id)
            var articles = (0..<count).map { Press.article(trial.rawID(), "\($0)") }
            articles[count - 1].links[0] = ids
            articles[count - 1].children[0] = (0..<count).map { Press.footnote(trial.rawID(), "\($0)") }
            let adverts = (0..<count).map { Press.advert(trial.rawID(), price: Int64($0)) }
            let long = Press.magazine(trial.rawID(), "Long", articles: articles, adverts: adverts, topics: ids)
            let last = Press.magazine(
                trial.rawID(), "Last", topics: Array(repeating: ids[0], count: count - 1) + [ids[count - 1]])
            let short = Press.magazine(trial.rawID(), "Short", articles: [Press.article(trial.rawID(), "Short")])
            _ = try await trial.store.commit(ChangeSet(inserts: topics + [long, last, short]))
            let all = [long.id, last.id, short.id]
            for place in [0, 100, count - 1] {
                let hasText = Condition.compare(.column(0), .equal, .literal(.text("\(place)")))
                let hasPrice = Condition.compare(.column(1), .greaterOrEqual, .literal(.integer(Int64(place))))
                let sum = Operand.childSum(relationship: 1, column: 1, where: hasPrice)
                let link = Condition.links(relationship: 0, id: ids[place])
                let isInLast = place == 0 || place == count - 1
                for (condition, expected) in [
                    (link, isInLast ? [long.id, last.id] : [long.id]),
                    (.anyChild(relationship: 0, link), [long.id]), (.anyChild(relationship: 0, hasText), [long.id]),
                    (.anyChild(relationship: 0, .anyChild(relationship: 0, hasText)), [long.id]),
                    (.compare(sum, .equal, .literal(.integer(Int64((place..<count).reduce(0, +))))), [long.id]),
                ] as [(Condition, [RawID])] {
                    for (condition, expected) in [
                        (condition, expected), (.not(condition), all.filter { !expected.contains($0) }),
                    ] as [(Condition, [RawID])] {
                        let request = ReadRequest(Press.magazine, where: condition, includesTotal: true)
                        let page = try await trial.store.read(request)
                        try expect("what \(condition) finds", page.items.map(\.id), is: expected)
                        try expect("the total of \(condition)", page.total, is: expected.count)
                    }
                }
            }
        }.tests("condition.15", "condition.16", "operand.5"),
    ]

    private static func pairs<Item>(_ items: [Item]) -> [(Item, Item)] {
        items.enumerated().flatMap { number, one in items[(number + 1)...].map { (one, $0) } }
    }

    /// Articles and links of magazines. The matching values are in one article, in two, in the footnotes of one or of
    /// two, or nowhere.
    private static func lists(_ trial: Trial, _ topics: [RawID]) -> [([StorageObject], [RawID])] {
        func article(
            _ text: String, _ words: Int64? = nil, _ topics: [RawID] = [], notes: [String] = []
        ) -> StorageObject {
            var article = Press.article(
                trial.rawID(), text, footnotes: notes.map { Press.footnote(trial.rawID(), $0) }, topics: topics)
            article.values[1] = words.map(Value.integer) ?? .null
            return article
        }
        return [
            ([], []), ([article("A", 1, topics, notes: ["A"])], topics),
            ([article("A"), article("B", 1, [topics[0]]), article("C", 2, [topics[1]], notes: ["A"])], [topics[0]]),
            ([article("A", nil, notes: ["B", "A", "A"]), article("A", 1)], [topics[1], topics[1]]),
            ([article("B", 1, topics), article("B", 1)], topics + topics),
            ([article("B", nil, [topics[1]], notes: ["A"]), article("A", 2, [topics[0], topics[0]])], []),
        ]
    }
}
