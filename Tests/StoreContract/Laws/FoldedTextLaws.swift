internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Laws of texts that are compared in lower case and without diacritics.
enum FoldedTextLaws {
    static let all: [Law] = [
        Law(.queries, "Folded texts are found in any case and with any diacritics") { trial in
            for name in ["Éclair", "Crème brûlée", "ΒΟΡΡΆΣ", "İstanbul", "Straße", "Smørrebrød"] {
                try await trial.create(name)
            }
            let questions: [(name: String, asked: [String])] = [
                ("Éclair", ["eclair", "ÉCLAIR", "e\u{301}clair"]), ("Crème brûlée", ["creme brulee", "CRÈME BRÛLÉE"]),
                ("ΒΟΡΡΆΣ", ["βορράς", "βορρας"]), ("İstanbul", ["istanbul", "ISTANBUL", "ıstanbul"]),
                ("Straße", ["STRASSE", "strasse", "STRAẞE"]), ("Smørrebrød", ["smorrebrod"]),
            ]
            for (name, asked) in questions {
                for text in asked {
                    let (folded, start) = (text.folded, String(text.folded.prefix(4)))
                    let end = String(text.folded.dropFirst(2))
                    try await trial.expectNames(#Predicate { $0.name.folded == folded }, [name], text)
                    try await trial.expectNames(#Predicate { $0.name.folded.starts(with: start) }, [name], start)
                    try await trial.expectNames(#Predicate { $0.name.folded.contains(end) }, [name], end)
                    try await trial.expectNames(#Predicate { [folded].contains($0.name.folded) }, [name], "a list")
                }
            }
        }.tests("folded.1"),
        Law(.order, "Folded texts are sorted as if they had no case and no diacritics") { trial in
            let names = ["ananas", "Ångström", "Apfel", "Äpfel 2", "Éclair", "egg", "Über", "Unter", "zebra"]
            for name in names.reversed() { try await trial.create(name) }
            let sorted = try await trial.manager.read(Query<Venue>(sort: [Sort(\.name.folded)])).entities.map(\.name)
            try expect("the order", sorted, is: names)
        }.tests("folded.2"),
        Law(.uniqueness, "Unique folded texts differ by more than case and diacritics") { trial in
            let first = try await trial.create("Café")
            for name in ["CAFE", "cafe\u{301}", "café"] {
                let twin = try trial.venue(name)
                let found = try await duplicate(of: "\(name) next to Café") { try await trial.manager.create(twin) }
                try expect(
                    "the error", found,
                    is: Duplicate(entity: "venue", columns: ["name_folded"], existing: first.id.rawValue))
            }
            var renamed = first
            renamed.name = "CAFÉ"
            let saved = try await trial.manager.save(renamed)
            try expect("the outcome of another spelling", saved.outcome, is: .updated)
            try await trial.expectStored(renamed, version: 2)
        }.tests("folded.3"),
        Law(.values, "The folded text of no text is no text") { trial in
            let venue = try await trial.create("a")
            let query = Query<Venue>(#Predicate { $0.motto.folded == nil })
            try expect("the venues without a motto", try await trial.manager.read(query).entities, is: [venue])
            var other = venue
            other.motto = "Für Élise"
            try await trial.manager.save(other)
            try expect("the venues without a motto", try await trial.manager.read(query).entities, is: [])
            let found = try await trial.manager.read(Query<Venue>(#Predicate { $0.motto.folded == "fur elise" }))
            try expect("the motto", found.entities, is: [other])
        }.tests("folded.4"),
        Law(.queries, "Folded texts of value objects are found, sorted and changed with them") { trial in
            var venue = try trial.venue("a")
            venue.place = try Location(city: "Zürich")
            try await trial.manager.create(venue)
            var other = try trial.venue("b")
            (other.place, other.branch) = (try Location(city: "ÅRHUS"), try Location(city: "ŁÓDŹ"))
            try await trial.manager.create(other)
            try await trial.expectNames(#Predicate { $0.place.city.folded == "zurich" }, ["a"], "a city")
            try await trial.expectNames(#Predicate { $0.branch?.city.folded == "lodz" }, ["b"], "an optional city")
            let sorted = try await trial.manager.read(Query<Venue>(sort: [Sort(\.place.city.folded)])).entities
            try expect("the order", sorted.map(\.name), is: ["b", "a"])
            let byBranch = Sort<Venue>(\.branch, part: \.city.folded, .descending)
            let descending = try await trial.manager.read(Query<Venue>(sort: [byBranch])).entities
            try expect("the order by an optional part", descending.map(\.name), is: ["b", "a"])
            other.branch = nil
            try await trial.manager.save(other)
            try await trial.expectNames(#Predicate { $0.branch?.city.folded == "lodz" }, [], "a removed city")
        }.tests("folded.1", "folded.2", "part.7"),
        Law(.order, "Equal folded texts are in the order of their ids, and pages continue between them") { trial in
            let mottos = [nil, "École", "zoo", "ecole", "ÉCOLE", nil, "Ecole", "ZOO", "e\u{301}cole", nil]
            for (index, motto) in mottos.enumerated() {
                var venue = try trial.venue("\(index)")
                venue.motto = motto
                try await trial.manager.create(venue)
            }
            let orders = [("0591346827", SortDirection.ascending), ("2713468059", .descending)]
            for (expected, direction) in orders {
                let sort = Sort<Venue>(\.motto.folded, direction)
                for limit in [nil, 1, 2, 3, 4] {
                    var (names, pages) = ("", 0)
                    var query = Query<Venue>(sort: [sort], limit: limit)
                    repeat {
                        let page = try await trial.manager.read(query)
                        names += page.entities.map(\.name).joined()
                        (query.after, pages) = (page.next, pages + 1)
                    } while query.after != nil && pages <= mottos.count
                    try expect("the order in pages of \(limit ?? mottos.count)", names, is: expected)
                }
            }
        }.tests("folded.2"),
        Law(.queries, "A part of a folded text may be a part of a letter of the text") { trial in
            for name in ["Straße", "Œuvre", "\u{FB01}sh", "Þór"] { try await trial.create(name) }
            for (start, name) in [("stras", "Straße"), ("o", "Œuvre"), ("f", "\u{FB01}sh"), ("t", "Þór")] {
                try await trial.expectNames(#Predicate { $0.name.folded.starts(with: start) }, [name], start)
            }
            for (part, name) in [("se", "Straße"), ("eu", "Œuvre"), ("is", "\u{FB01}sh"), ("ho", "Þór")] {
                try await trial.expectNames(#Predicate { $0.name.folded.contains(part) }, [name], part)
            }
        }.tests("folded.1"),
        Law(.queries, "Entities are grouped and counted by folded texts, and those without a text are in no group") {
            trial in
            for (index, motto) in ["École", nil, "ecole", "Zoo", "", "ÉCOLE"].enumerated() {
                var venue = try trial.venue("\(index)")
                let amount = ExactDecimal(units: 1 << index, scale: 2)
                (venue.motto, venue.fee) = (motto, Money(amount: amount, currency: "EUR"))
                try await trial.manager.create(venue)
            }
            let counts = try await trial.manager.counts(Query<Venue>(), by: .value(\.motto.folded))
            try expect("the counts", counts, is: ["": 1, "ecole": 3, "zoo": 1])
            let found = try await trial.manager.aggregates(
                Query<Venue>(), by: .value(\.motto.folded), of: .count, .sum(\.fee, part: \.amount))
            try expect(
                "the groups", found.map { "\($0.keys) \($0.values.0) \($0.values.1)" },
                is: [" 1 0.16", "ecole 3 0.37", "zoo 1 0.08"])
        }.tests("aggregate.1", "folded.4", "tally.1"),
        Law(.uniqueness, "Unique folded texts can be exchanged in one commit, and are free after a change") { trial in
            var (first, second) = (try await trial.create("Café"), try await trial.create("Tee"))
            (first.name, second.name) = ("TEE", "cafe\u{301}")
            let (one, other) = (first, second)
            try await trial.manager.transaction { manager in
                try await manager.save(one)
                try await manager.save(other)
            }
            try await trial.expectStored(one, version: 2)
            try await trial.expectStored(other, version: 2)
            first.name = "Kakao"
            try await trial.manager.save(first)
            try await trial.create("Tée")
            let twin = try trial.venue("CAFÉ")
            let found = try await duplicate(of: "CAFÉ next to café") { try await trial.manager.create(twin) }
            try expect("the holder", found.existing, is: second.id.rawValue)
        }.tests("folded.3"),
    ]
}

extension Trial {
    fileprivate func venue(_ name: String) throws -> Venue {
        Venue(id: id(), name: name, place: try Location(city: "x"))
    }

    @discardableResult
    fileprivate func create(_ name: String) async throws -> Venue {
        let venue = try venue(name)
        try await manager.create(venue)
        return venue
    }

    fileprivate func expectNames(_ predicate: Predicate<Venue>, _ names: [String], _ what: String) async throws {
        let found = try await manager.read(Query(predicate)).entities.map(\.name)
        try expect("what \(what) finds", found, is: names)
    }
}
