internal import LarderData
internal import LarderDomain

enum SearchLaws {
    static let all: [Law] = [
        Law(.queries, "A search finds the entities with all words, in the order of their ranks, then of their ids") {
            trial in
            for seed in 31...33 as ClosedRange<UInt64> {
                try await trial.fresh("search-\(seed)") { try await $0.search(80, seed: seed) }
            }
        }.tests("operand.21", "query.1"),
        Law(.queries, "A transaction searches among its own changes") { trial in
            let ids: [EntityID<Letter>] = trial.ids(3)
            try await trial.manager.create(contentsOf: ids.map { Letter($0, subject: "old") })
            try await trial.manager.transaction { manager in
                try await manager.save(Letter(ids[0], subject: "new"))
                try await manager.save(Letter(ids[1], body: "new"))
                try await manager.delete(ids[2])
                let found = try await manager.read(Query<Letter>(search: "new", includesTotal: true))
                try expect("the result of the search", found.entities.map(\.id), is: Array(ids[..<2]))
                try expect("the total", found.total, is: 2)
                let old = try await manager.read(Query<Letter>(search: "old", includesTotal: true))
                try expect("the former result", old.entities.map(\.id), is: [])
                try expect("the total of none", old.total, is: 0)
            }
            let found = try await trial.manager.read(Query<Letter>(search: "new"))
            try expect("the later result", found.entities.map(\.id), is: Array(ids[..<2]))
        }.tests("transaction.3"),
        Law(.queries, "A search that would rank more roots than its limit is refused, whatever page it asks for") {
            trial in
            let letters = (0..<4).map { Letter(trial.id(), subject: $0 == 3 ? "old news" : "old") }
            try await trial.manager.create(contentsOf: letters)
            let schema = LetterMapper.mapping.schema
            guard let list = schema.searchList else { throw LawBroken("no words") }
            func search(_ word: String, limit: Int, after: Place? = nil) -> ReadRequest {
                let start = WordText.start(of: word)
                var request = ReadRequest(
                    schema, where: .anyChild(relationship: list, .contains(.column(0), start)),
                    order: [OrderTerm(.rank(relationship: list, [start]), isDescending: true)], after: after, limit: 1)
                request.rankLimit = limit
                return request
            }
            let first = try await trial.store.read(search("old", limit: 4))
            try expect("the first letter", first.items.map(\.id), is: [letters[0].id.rawValue])
            let news = try await trial.store.read(search("news", limit: 1))
            try expect("the only letter", news.items.map(\.id), is: [letters[3].id.rawValue])
            for after in [nil, first.next] {
                let error = try await failure(of: "a search for four letters") {
                    try await trial.store.read(search("old", limit: 3, after: after))
                }
                guard case .unsupportedQuery = error else { throw LawBroken("unexpected error: \(error)") }
            }
        }.tests("request.21", "request.22"),
        Law(.queries, "Words that are removed one after the other are no longer found, and the remaining ones are") {
            trial in
            let ids: [EntityID<Letter>] = trial.ids(2)
            var words = ["one", "two", "three", "four", "five", "six"]
            let first = words.joined(separator: " ")
            try await trial.manager.create(contentsOf: ids.map { Letter($0, subject: first) })
            // There are more changes that only remove words than entities.
            while let removed = words.popLast() {
                let rest = words.joined(separator: " ")
                for id in ids { try await trial.manager.change(id) { $0.subject = rest } }
                for word in words + [removed] {
                    let found = try await trial.manager.read(Query<Letter>(search: word)).entities.map(\.id)
                    try expect("the letters with \(word), without \(removed)", found, is: word == removed ? [] : ids)
                }
            }
        }.tests("query.1"),
    ]

    static let writes: [Law] = [
        Law(
            .changeTracking, "An update writes the searched words once, and only if they differ", needs: [.countsWrites]
        ) { trial in
            var letter = Letter(trial.id(), subject: "one two three", body: "two four")
            try await trial.manager.create(letter)
            let same = try await trial.rowsWritten { _ = try await trial.manager.save(letter) }
            try expect("the rows of an equal letter", same, is: 0)
            letter.body = "one five two"
            let rows = try await trial.rowsWritten { _ = try await trial.manager.save(letter) }
            try expect("the rows of the root and of its words", rows, is: 2)
        }.tests("request.14", "save.3"),
        Law(.changeTracking, "The words of an entity remain if an update changes none of its texts") { trial in
            let genre = Genre(trial.id(), "Letters")
            var letter = Letter(trial.id(), subject: "one", body: "two")
            try await trial.manager.create(genre)
            try await trial.manager.create(letter)
            letter.genre = genre.id
            try await trial.manager.update(letter, expecting: 1)
            try await trial.expectFound(letter, by: ["one", "two"])
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            let theirs = Letter(letter.id, subject: "three", body: "four")
            store.beforeNextCommit { _ in try await outer.save(theirs) }
            // The first attempt leaves the words out; the second one replaces those of the concurrent commit.
            letter.genre = nil
            try await manager.save(letter)
            try await trial.expectStored(letter, version: 4)
            try await trial.expectFound(letter, by: ["one", "two"])
            letter.subject = "three"
            try await trial.manager.change(letter.id) { $0.subject = "three" }
            try await trial.expectFound(letter, by: ["two", "three"])
        }.tests("query.1", "save.2"),
    ]
}

extension Trial {
    /// Fails the law unless a search for each of some words finds a letter, or nothing for the other words.
    fileprivate func expectFound(_ letter: Letter, by words: [String]) async throws {
        for word in ["one", "two", "three", "four"] {
            let found = try await manager.read(Query<Letter>(search: word)).entities
            try expect("the letters with \(word)", found, is: words.contains(word) ? [letter] : [])
        }
    }
}
