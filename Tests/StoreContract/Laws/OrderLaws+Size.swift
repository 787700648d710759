internal import LarderData
internal import LarderDomain
internal import Synchronization

/// Pages, lists of values, and counts above the limits that stores use internally.
extension OrderLaws {
    static let size: [Law] = [
        Law(.order, "A page may have any number of roots, and has a cursor only if more follow") { trial in
            let members = try await trial.manyMembers(1_300)
            let order = [OrderTerm(.column(1), isDescending: true)]
            for (order, expected) in [([], members), (order, members.reversed())] as [([OrderTerm], [StorageObject])] {
                for limit in [257, 1_000, 1_001, 1_299, 1_300, 1_301, 5_000, nil] {
                    var request = ReadRequest(Press.member, order: order, limit: limit, includesTotal: true)
                    var (found, pages): ([StorageObject], Int) = ([], 0)
                    repeat {
                        let page = try await trial.store.read(request)
                        try expect("the total", page.total, is: 1_300)
                        let left = min(limit ?? 1_300, 1_300 - found.count)
                        try expect("the length of a page of \(limit ?? -1)", page.items.count, is: left)
                        found += page.items
                        request.after = page.next
                        pages += 1
                    } while request.after != nil && pages < 10
                    try expect(found == expected, "pages of \(limit ?? -1) gave other roots, or in another order")
                }
            }
        }.tests("request.7", "request.8", "request.12", "request.20"),
        Law(.order, "A page with a limit of bytes ends with the root that exceeds it", needs: [.boundedPages]) {
            trial in
            func text(_ number: Int, _ name: String) -> String {
                "\(name) \(number) " + String(repeating: "x", count: number % 5 == 0 ? 6_000 : number % 50)
            }
            // Long texts in flat roots, and in roots, lists and nested lists.
            let topics = (0..<50).map { Press.topic(trial.rawID(), text($0, "Topic")) }
            let magazines = (0..<50).map { number in
                let articles = (0..<number % 4).map { article in
                    let notes = (0..<article).map { Press.footnote(trial.rawID(), text(number + $0 + 2, "note")) }
                    return Press.article(trial.rawID(), text(number + article + 1, "article"), footnotes: notes)
                }
                return Press.magazine(trial.rawID(), text(number, "M"), articles: articles, topics: [topics[number].id])
            }
            _ = try await trial.store.commit(ChangeSet(inserts: topics + magazines))
            for (schema, roots) in [(Press.topic, topics), (Press.magazine, magazines)] {
                let order = [OrderTerm(.column(0), isDescending: true)]
                let expected = ReadRequest(schema, order: order).answer(from: roots).items
                for (limit, byteLimit) in [(nil, 1), (9, 20_000), (40, 50_000), (50, 1 << 30)] as [(Int?, Int)] {
                    var request = ReadRequest(
                        schema, order: order, limit: limit, byteLimit: byteLimit, includesTotal: true)
                    var found: [StorageObject] = []
                    repeat {
                        let page = try await trial.store.read(request)
                        try expect("the total", page.total, is: 50)
                        let within = page.items.dropLast().reduce(0) { $0 + $1.byteCount(perValue: 0) }
                        try expect(
                            !page.items.isEmpty && within <= byteLimit,
                            "\(page.items.count) roots with \(within) bytes before the last of a page of \(byteLimit)")
                        if byteLimit > 1 << 20 { try expect("the page", page.items.count, is: 50) }
                        found += page.items
                        request.after = page.next
                    } while request.after != nil && found.count <= 50
                    try expect(found == expected, "pages of \(byteLimit) bytes gave other roots, or in another order")
                }
            }
            // The texts are so long that the constant for each value does not matter.
            let long = String(repeating: "x", count: 100_000)
            let many = (0..<7).map { Press.magazine(trial.rawID(), "Z \($0) \(long)") }
            let few = (7..<9).map { number in
                let article = Press.article(trial.rawID(), long, footnotes: [Press.footnote(trial.rawID(), long)])
                return Press.magazine(trial.rawID(), "Z \(number) \(long)", articles: [article])
            }
            _ = try await trial.store.commit(ChangeSet(inserts: many + few))
            for (byteLimit, counts) in [
                (50_000, Array(repeating: 1, count: 9)), (150_000, [2, 2, 2, 2, 1]), (350_000, [4, 4, 1]),
                (650_000, [7, 2]), (950_000, [8, 1]),
            ] {
                var request = ReadRequest(
                    Press.magazine, where: .hasPrefix(.column(0), "Z "), order: [OrderTerm(.column(0))],
                    byteLimit: byteLimit)
                var found: [Int] = []
                repeat {
                    let page = try await trial.store.read(request)
                    found.append(page.items.count)
                    request.after = page.next
                } while request.after != nil && found.count <= 9
                try expect("the lengths of pages of \(byteLimit) bytes", found, is: counts)
            }
        }.tests("request.9", "request.10"),
        Law(.queries, "A list of any number of values finds the values that it contains") { trial in
            let members = try await trial.manyMembers(1_300)
            for count in [0, 1, 257, 301, 1_001, 1_300] {
                let wanted = members.suffix(count)
                for (operand, values) in [
                    (.id, wanted.map { .id($0.id) }), (.column(0), wanted.map { $0.values[0] }),
                    (.column(1), wanted.map { $0.values[1] }),
                ] as [(Operand, [Value])] {
                    let page = try await trial.store.read(
                        ReadRequest(Press.member, where: .isIn(operand, Set(values)), limit: 10, includesTotal: true))
                    try expect("the total for \(count) values of \(operand)", page.total, is: count)
                    try expect(page.items == Array(wanted.prefix(10)), "\(count) values of \(operand) find others")
                }
                let none = Condition.not(.isIn(.column(1), Set(wanted.map { $0.values[1] })))
                let rest = try await trial.store.read(ReadRequest(Press.member, where: none)).items.count
                try expect("how many are not among \(count) values", rest, is: 1_300 - count)
            }
        }.tests("condition.10"),
        Law(.queries, "Counts have an entry for each of any number of values, and for each id in a list of links") {
            trial in
            let members = try await trial.manyMembers(1_100)
            let byName = try await trial.store.counts(CountRequest(Press.member, where: .always(true), by: .column(0)))
            try expect("the counts by name", byName.count, is: 1_100)
            try expect("their sum", byName.values.reduce(0, +), is: 1_100)
            let ids = members.map(\.id)
            let magazines = (0..<320).map { number in
                Press.magazine(
                    trial.rawID(), "M \(number)", issue: nil, year: 2000 + Int64(number) % 2,
                    editors: ids + [ids[0], ids[1]])
            }
            for part in [magazines.prefix(2), magazines.suffix(1)] {
                _ = try await trial.store.commit(ChangeSet(inserts: Array(part)))
            }
            let byEditor = try await trial.store.counts(
                CountRequest(Press.magazine, where: .always(true), by: .link(1)))
            try expect("the number of counts", byEditor.count, is: 1_100)
            try expect("the counts of editors", Set(byEditor.values), is: [3])
            // Once for each root, even if many roots contain an id twice.
            let topics = (0..<3).map { Press.topic(trial.rawID(), "Topic \($0)") }
            let linking = (0..<320).map { number in
                Press.magazine(
                    trial.rawID(), "L \(number)", year: 3000 + Int64(number) % 2,
                    topics: [topics[0].id, topics[1 + number % 2].id, topics[0].id])
            }
            _ = try await trial.store.commit(ChangeSet(inserts: topics + linking))
            let byTopic = try await trial.store.counts(
                CountRequest(Press.magazine, where: .always(true), by: .link(0)))
            let expected: [Value: Int] = [.id(topics[0].id): 320, .id(topics[1].id): 160, .id(topics[2].id): 160]
            try expect("the counts of topics", byTopic, is: expected)
            let byIssue = try await trial.store.counts(
                CountRequest(Press.magazine, where: .always(true), by: .column(1)))
            try expect("the counts by a missing value", byIssue, is: [:])
        }.tests("counts.5", "counts.6", "counts.7"),
        Law(.queries, "An error of the closure that transforms roots ends the read, and is rethrown") { trial in
            _ = try await trial.manyMembers(20)
            for bad in [0, 7, 19] as [Int64] {
                let reason = PersistencyError.unsupportedQuery("root \(bad)")
                let error = try await failure(of: "a transformation that fails") {
                    try await trial.store.read(ReadRequest(Press.member)) { (object) throws(PersistencyError) in
                        if object.values[1] == .integer(bad) { throw reason }
                    }
                }
                try expect("the error", Fault(error), is: Fault(reason))
                let page = try await trial.store.read(ReadRequest(Press.member, limit: 3)) {
                    (object) throws(PersistencyError) in object.values[1]
                }
                try expect("the transformed page", page.items, is: [.integer(0), .integer(1), .integer(2)])
            }
        }.tests("page.9"),
        Law(.queries, "A page of versions has the ids, the versions and the end of the page of rows") { trial in
            let members = try await trial.manyMembers(20)
            let changed = members.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
            for round in 1...2 as ClosedRange<Int64> {
                let updates = changed.map { member in
                    var new = member
                    new.values[0] = .text("Round \(round) of \(member.id)")
                    return RootUpdate(
                        EntityKey(Press.member, member.id), expected: round,
                        changes: ObjectChanges(from: member, to: new))
                }
                _ = try await trial.store.commit(ChangeSet(updates: updates))
            }
            for limit in [nil, 1, 7, 20, 21] as [Int?] {
                var request = ReadRequest(
                    Press.member, order: [OrderTerm(.column(1), isDescending: true)], limit: limit, includesTotal: true)
                let rows = try await trial.store.read(request)
                request.content = .versions
                let found = Mutex<[RootExpectation]>([])
                let end = try await trial.store.withRows(request) { (rows) throws(PersistencyError) in
                    while try rows.next() {
                        let row = RootExpectation(EntityKey(Press.member, rows.id), version: rows.version)
                        found.withLock { $0.append(row) }
                    }
                }
                let versions = rows.items.map { RootExpectation(EntityKey(Press.member, $0.id), version: $0.version) }
                try expect("the versions", found.withLock(\.self).map(\.version), is: versions.map(\.version))
                try expect("the ids", found.withLock(\.self).map(\.key.id), is: versions.map(\.key.id))
                try expect("the end", end.next, is: rows.next)
                try expect("the total", end.total, is: rows.total)
            }
        }.tests("request.15", "request.20"),
        Law(.queries, "Rows that the body of a read skips belong to the page, and are not lent again") { trial in
            let members = try await trial.manyMembers(20)
            for content in [ReadRequest.Content.rows, .versions] {
                for limit in [7, 20, 30] {
                    let request = ReadRequest(Press.member, limit: limit, includesTotal: true, content: content)
                    let end = try await trial.store.withRows(request) { (rows) throws(PersistencyError) in
                        _ = try rows.next()
                    }
                    let page = try await trial.store.read(request)
                    try expect("where the page ends", end.next, is: page.next)
                    try expect("the total", end.total, is: page.total)
                    try await trial.expectLentOnce("a page of \(limit) \(content)") {
                        _ = try await trial.store.withRows(request, $0)
                    }
                }
            }
            for count in [1, 7, 20] {
                try await trial.expectLentOnce("a read by \(count) ids") {
                    try await trial.store.withRows(members.prefix(count).map(\.id), of: Press.member, $0)
                }
            }
        }.tests("page.7", "page.11"),
        Law(.queries, "A limit of bytes ends no page of versions, and no page of a store that does not bound them") {
            trial in
            _ = try await trial.manyMembers(20)
            let isBounded = trial.store.traits.capabilities.contains(.boundedPages)
            for content in isBounded ? [ReadRequest.Content.versions] : [.versions, .rows, .complete] {
                let found = Mutex(0)
                let end = try await trial.store.withRows(ReadRequest(Press.member, byteLimit: 1, content: content)) {
                    (rows) throws(PersistencyError) in
                    while try rows.next() { found.withLock { $0 += 1 } }
                }
                try expect("the length of the page", found.withLock { $0 }, is: 20)
                try expect("where it ends", end.next, is: nil)
            }
        }.tests("request.11"),
        Law(.queries, "Roots that are not on a page are not transformed for it") { trial in
            let members = try await trial.manyMembers(20)
            let odd = Set(members.enumerated().filter { $0.offset % 2 == 1 }.map(\.element.id))
            for (first, limit) in [(0, 3), (4, 1), (4, 15), (8, 12), (19, 1), (5, nil)] as [(Int, Int?)] {
                for isOdd in [false, true] {
                    var request = ReadRequest(Press.member, limit: limit, includesTotal: true)
                    if isOdd { request.condition = .isIn(.id, Set(odd.map(Value.id))) }
                    request.after = first == 0 ? nil : Place(values: [], id: members[first - 1].id)
                    let rest = members[first...].filter { !isOdd || odd.contains($0.id) }
                    let page = Set(rest.prefix(limit ?? rest.count).map(\.id))
                    let found = try await trial.store.read(request) { (object) throws(PersistencyError) in
                        guard page.contains(object.id) else {
                            throw .unsupportedQuery("\(object.id) is not on the page")
                        }
                        return object.id
                    }
                    try expect("the page from \(first)", found.items, is: rest.map(\.id).filter(page.contains))
                }
            }
        }.tests("page.6"),
    ]
}

extension Trial {
    /// Fails the law if a read calls its body for rows that an earlier call has not read.
    ///
    /// A store may lend rows in any number of calls, those of a read by ids in any order. The calls of equal reads are
    /// compared: if the body reads fewer rows of each call, there must be as many calls, with other rows in each.
    fileprivate func expectLentOnce(
        _ what: String, _ read: (@escaping RowBody) async throws -> Void
    ) async throws {
        func calls(reading count: Int) async throws -> [[RawID]] {
            let calls = Mutex<[[RawID]]>([])
            try await read { (rows) throws(PersistencyError) in
                var ids: [RawID] = []
                while ids.count < count, try rows.next() { ids.append(rows.id) }
                calls.withLock { [ids] in $0.append(ids) }
            }
            return calls.withLock(\.self)
        }
        let whole = try await calls(reading: .max)
        for count in [0, 1, 5] {
            let found = try await calls(reading: count)
            let expected = whole.map { min($0.count, count) }
            try expect("the rows of \(what), \(count) of each call", found.map(\.count), is: expected)
            try expect("the different rows", Set(found.joined()).count, is: expected.reduce(0, +))
        }
    }

    /// Stores members with ascending ids and cards, in one commit, in random order.
    func manyMembers(_ count: Int) async throws -> [StorageObject] {
        let members = (0..<count).map { Press.member(rawID(), "Member \($0)", card: Int64($0)) }
        var chance = Chance(seed: 21)
        _ = try await store.commit(ChangeSet(inserts: members.shuffled(using: &chance)))
        return members.map { member in
            var member = member
            member.version = 1
            return member
        }
    }
}
