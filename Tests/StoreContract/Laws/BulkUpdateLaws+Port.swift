internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Updates by query at the port of a store, and reads after them.
extension BulkUpdateLaws {
    static let port: [Law] = [
        law(.commits, "A change set with a bulk update may change other roots, and is one commit") { trial in
            let magazines = try await trial.magazines(3)
            let topic = Press.topic(trial.rawID(), "News")
            let changes = ChangeSet(inserts: [topic], bulk: Self.years(to: 2001))
            let receipt = try await trial.store.commit(changes)
            try expect("the number of changed roots", receipt.bulkCount, is: 3)
            try await trial.expectStored(topic)
            for magazine in magazines {
                let stored = try await trial.stored(magazine)
                try expect("the year", stored?.values[2], is: .integer(2001))
                try expect("the version", stored?.version, is: 2)
            }
            try expect("the outcome", try await trial.store.outcome(of: changes.id), is: .stored)
        }.tests("bulk.1", "outcome.1"),
        law(.commits, "A change set with a bulk update and an outdated version is refused as a whole") { trial in
            let magazines = try await trial.magazines(2)
            let topic = Press.topic(trial.rawID(), "News")
            try await trial.insert(topic)
            let conflict = try await conflict(of: "an outdated read") {
                try await trial.store.commit(
                    ChangeSet(reads: [RootExpectation(topic.key, version: 2)], bulk: Self.years(to: 2001)))
            }
            try expect("the root in conflict", conflict.reference, is: topic.reference)
            try await duplicate(of: "an existing topic") {
                try await trial.store.commit(
                    ChangeSet(inserts: [Press.topic(trial.rawID(), "News")], bulk: Self.years(to: 2001)))
            }
            for magazine in magazines { try await trial.expectStored(magazine) }
        }.tests("bulk.12", "commit.6"),
        law(.commits, "A sum beyond 64 bits, and a day beyond the calendar, refuse a bulk update") { trial in
            let member = Press.member(trial.rawID(), "Ada", card: .max - 1)
            let seat = StorageObject(
                schema: Press.seat, id: trial.rawID(),
                values: [
                    .text("1"), .text("A"), .null, .null, .null, .text("9999-12-30"), .integer(1),
                ])
            try await trial.insert(member, seat)
            func add(_ amount: Int64, to schema: EntitySchema, _ column: Int, _ valid: (Value, Value)) async throws {
                let sum = ColumnAssignment(column: column, .add(amount, valid.0, valid.1, "valid"))
                _ = try await trial.store.commit(ChangeSet(bulk: BulkChange(schema, where: .always(true), [sum])))
            }
            let (integers, days): ((Value, Value), (Value, Value)) = (
                (.integer(.min), .integer(.max)), (.text("0001-01-01"), .text("9999-12-31"))
            )
            for amount in [2, .max] as [Int64] {
                let field = try await invalidField(of: "a sum with \(amount)") {
                    try await add(amount, to: Press.member, 1, integers)
                }
                try expect("the root", field.id, is: member.id)
                let day = try await invalidField(of: "a day \(amount) days later") {
                    try await add(amount, to: Press.seat, 5, days)
                }
                try expect("the seat", day.id, is: seat.id)
            }
            try await trial.expectStored(member, seat)
            try await add(1, to: Press.member, 1, integers)
            try await add(1, to: Press.seat, 5, days)
            try expect("the card", try await trial.stored(member)?.values[1], is: .integer(.max))
            try expect("the day", try await trial.stored(seat)?.values[5], is: .text("9999-12-31"))
        }.tests("bulk.11", "bulk.12"),
        law(.commits, "A bulk update of thousands of roots is one commit, whatever their number") { trial in
            let members = (0..<3_000).map { Press.member(trial.rawID(), "\($0)", card: Int64($0)) }
            _ = try await trial.store.commit(ChangeSet(inserts: members))
            let token = try await trial.store.commit(ChangeSet()).token
            let shift = ColumnAssignment(column: 1, .add(1, .integer(0), .integer(9_999), "below 10,000"))
            let later = Condition.compare(.column(1), .greaterOrEqual, .literal(.integer(1_000)))
            let receipt = try await trial.store.commit(ChangeSet(bulk: BulkChange(Press.member, where: later, [shift])))
            try expect("the number of changed roots", receipt.bulkCount, is: 2_000)
            try expect("the position", receipt.token.position, is: token.position + 1)
            let stored = try await trial.store.read(members.map(\.id), of: Press.member).sorted { $0.id < $1.id }
            let cards = (0..<3_000).map { Value.integer(Int64($0 < 1_000 ? $0 : $0 + 1)) }
            try expect("the cards", stored.map { $0.values[1] }, is: cards)
        }.tests("bulk.1", "bulk.5", "commit.1"),
        law(.queries, "Queries by an index find the values of an update by query, and not the former ones") { trial in
            for number in 0..<6 {
                var parcel = Parcel(id: trial.id())
                parcel.price = ExactDecimal(units: Int64(number % 2) * 100, scale: 2)
                try await trial.manager.create(parcel)
            }
            let (free, paid): (ExactDecimal, ExactDecimal) = (0, 1)
            let expensive: ExactDecimal = 9
            try await trial.manager.update(matching: Query<Parcel>(#Predicate { $0.price == paid })) {
                $0.set(\.price, to: expensive)
            }
            for (price, expected) in [(free, 3), (paid, 0), (expensive, 3)] {
                let query = Query<Parcel>(#Predicate { $0.price == price }, includesTotal: true)
                let found = try await trial.manager.read(query)
                try expect("parcels at \(price)", found.items.count, is: expected)
                try expect("their total", found.total, is: expected)
            }
            let counts = try await trial.manager.counts(Query<Parcel>(), by: .value(\.price))
            try expect("the counts", counts, is: [free: 3, expensive: 3])
        }.tests("bulk.1"),
        law(.queries, "An update by query may have conditions on owned objects and links") { trial in
            var books = (0..<4).map { Book(trial.id(), "Book \($0)") }
            let crime = Genre(trial.id(), "crime")
            try await trial.manager.create(crime)
            books[1].chapters = [Chapter(trial.id(), "The end", minutes: nil, notes: [])]
            books[2].genres = [crime.id]
            books[3].chapters = [Chapter(trial.id(), "The start", minutes: nil, notes: [])]
            try await trial.manager.create(contentsOf: books)
            let id = crime.id
            let query = Query<Book>(
                #Predicate { book in
                    book.chapters.contains { $0.title == "The end" } || book.genres.contains(id)
                })
            let count = try await trial.manager.update(matching: query) { $0.set(\.subtitle, to: "found") }
            try expect("the number of changed books", count, is: 2)
            for (number, book) in books.enumerated() {
                var expected = book
                if [1, 2].contains(number) { expected.subtitle = "found" }
                try await trial.expectStored(expected, version: [1, 2].contains(number) ? 2 : 1)
            }
        }.tests("bulk.1"),
        law(.uniqueness, "A unique value that an update by query sets is taken, and the former one is free") { trial in
            let ada = Author(trial.id(), "Ada", email: "ada@example.org")
            try await trial.manager.create(ada)
            try await trial.manager.update(matching: Query<Author>()) { $0.set(\.email, to: "new@example.org") }
            let taken = try await duplicate(of: "the new address") {
                try await trial.manager.create(Author(trial.id(), "Bea", email: "new@example.org"))
            }
            try expect("the author who has it", taken.existing, is: ada.id.rawValue)
            try await trial.manager.create(Author(trial.id(), "Bea", email: "ada@example.org"))
            let saved = try await trial.manager.save(
                Author(trial.id(), "Ada again", email: "new@example.org"), by: \.email)
            try expect("the author who is found", saved.stored.id, is: ada.id)
        }.tests("bulk.5", "key.1"),
        law(.transactions, "A transaction after an update by query sees its values and versions") { trial in
            let counters = (0..<3).map { Counter(trial.id(), $0) }
            try await trial.manager.create(contentsOf: counters)
            try await trial.manager.update(matching: Query<Counter>()) { $0.add(\.count, 10) }
            try await trial.manager.transaction { manager in
                for stored in try await manager.read(Query<Counter>()).items {
                    try expect("the version", stored.version, is: 2)
                    try await manager.update(Counter(stored.id, stored.count * 2), expecting: stored.version)
                }
            }
            for (number, counter) in counters.enumerated() {
                try await trial.expectStored(Counter(counter.id, (number + 10) * 2), version: 3)
            }
        }.tests("bulk.3", "transaction.7"),
    ]

    private static func years(to year: Int64) -> BulkChange {
        BulkChange(Press.magazine, where: .always(true), [ColumnAssignment(column: 2, .set(.integer(year)))])
    }
}

extension Trial {
    fileprivate func magazines(_ count: Int) async throws -> [StorageObject] {
        let magazines = (0..<count).map { Press.magazine(rawID(), "Magazine \($0)") }
        _ = try await store.commit(ChangeSet(inserts: magazines))
        return magazines
    }
}
