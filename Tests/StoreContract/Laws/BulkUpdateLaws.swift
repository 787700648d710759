internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Updates of all entities of a query.
enum BulkUpdateLaws {
    static let all: [Law] = changes + refusals + followers + port

    private static let changes: [Law] = [
        law(.lifecycle, "An update by query changes the given properties of all matching entities, in one commit") {
            trial in
            let books = try await trial.books(6)
            let (store, manager) = try trial.recording()
            let count = try await manager.update(matching: Query<Book>(#Predicate { $0.pages ?? 0 < 3 })) {
                // Of two changes of one property, the last applies.
                $0.set(\.subtitle, to: "long")
                $0.set(\.subtitle, to: "short")
                $0.set(\.inPrint, to: false)
            }
            try expect("the number of changed books", count, is: 3)
            try expect("the number of commits", store.commits.count, is: 1)
            for (number, book) in books.enumerated() {
                var expected = book
                if number < 3 { (expected.subtitle, expected.inPrint) = ("short", false) }
                try await trial.expectStored(expected, version: number < 3 ? 2 : 1)
            }
        }.tests("bulk.1", "bulk.3", "bulk.9"),
        law(.changeTracking, "An update by query writes no entity whose values are equal, and no commit without one") {
            trial in
            var books = try await trial.books(6)
            books[1].subtitle = "short"
            try await trial.manager.update(books[1])
            let (store, manager) = try trial.recording()
            for expected in [5, 0] {
                let count = try await manager.update(matching: Query<Book>()) { $0.set(\.subtitle, to: "short") }
                try expect("the number of changed books", count, is: expected)
            }
            try expect("the number of commits", store.commits.count, is: 1)
            for (number, book) in books.enumerated() {
                let version = try await trial.manager.require(book.id).version
                try expect("the version of book \(number)", version, is: 2)
            }
            let none = try await manager.update(matching: Query<Book>(#Predicate { $0.title == "none" })) {
                $0.set(\.pages, to: nil)
            }
            try expect("the number of books that do not exist", none, is: 0)
            let same = try await manager.update(matching: Query<Book>()) { $0.add(\.pages, 0) }
            try expect("the number of books to which nothing is added", same, is: 0)
            try expect("the number of commits afterwards", store.commits.count, is: 1)
        }.tests("bulk.2"),
        law(.lifecycle, "An update by query adds to numbers, decimals, days and instants, and leaves nil") { trial in
            var books = try await trial.books(3)
            books[1].published = nil
            books[2].pages = nil
            for book in books { try await trial.manager.save(book) }
            try await trial.manager.update(matching: Query<Book>()) {
                $0.add(\.pages, 40)
                $0.add(\.published, days: 2)
                $0.add(\.printed, .nanoseconds(-1_000_000_501))
            }
            for (number, book) in books.enumerated() {
                let stored = try await trial.manager.require(book.id).entity
                try expect("the pages of \(number)", stored.pages, is: book.pages.map { $0 + 40 })
                try expect("the day of \(number)", stored.published, is: book.published?.adding(days: 2))
                try expect("the instant of \(number)", stored.printed.microseconds, is: -1_000_001)
            }
            let count = try await trial.manager.update(matching: Query<Book>()) { $0.add(\.pages, 1) }
            try expect("the number of books with pages", count, is: 2)
            try expect("the version of the other", try await trial.manager.require(books[2].id).version, is: 3)
            let parcels = try await trial.parcels([1, nil, 2])
            try await trial.manager.update(matching: Query<Parcel>()) {
                $0.add(\.price, ExactDecimal(units: -15, scale: 1))
                $0.add(\.maybePrice, ExactDecimal(units: 25, scale: 2))
            }
            let stored = try await trial.manager.read(parcels.map(\.id))
            try expect("the prices", stored.map { $0.price.description }, is: ["-1.50", "-1.50", "-1.50"])
            try expect("the optional ones", stored.map { $0.maybePrice?.description }, is: ["1.25", nil, "2.25"])
        }.tests("bulk.4"),
        law(.uniqueness, "Unique values are judged after all changes of an update by query") { trial in
            let parcels = try await trial.parcels([1, 2, 3, nil])
            try await trial.manager.update(matching: Query<Parcel>()) { $0.add(\.maybePrice, 1) }
            let stored = try await trial.manager.read(parcels.map(\.id))
            try expect("the shifted prices", stored.map(\.maybePrice), is: [2, 3, 4, nil])
            let shelves = ["A", "B"].map { Shelf(trial.id(), room: "hall", label: $0) }
            let attic = Shelf(trial.id(), room: "attic", label: "B")
            try await trial.manager.create(contentsOf: shelves + [attic])
            let first = try await duplicate(of: "one price for all") {
                try await trial.manager.update(matching: Query<Parcel>()) { $0.set(\.maybePrice, to: 7) }
            }
            try expect("the columns", first.columns, is: ["maybe_price"])
            let second = try await duplicate(of: "a move to a taken place") {
                try await trial.manager.update(matching: Query<Shelf>(#Predicate { $0.room == "hall" })) {
                    $0.set(\.room, to: "attic")
                }
            }
            try expect("the columns of the group", second.columns, is: ["room", "label"])
            for shelf in shelves + [attic] { try await trial.expectStored(shelf, version: 1) }
            try await trial.manager.update(matching: Query<Shelf>()) { $0.set(\.label, to: nil) }
            let moved = try await trial.manager.update(matching: Query<Shelf>()) { $0.set(\.room, to: "attic") }
            try expect("the number of moved shelves without a label", moved, is: 2)
        }.tests("bulk.5", "bulk.12"),
        law(.queries, "An update by query may have conditions on other entities") { trial in
            var books = try await trial.books(4)
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            for number in [1, 3] {
                books[number].author = author.id
                try await trial.manager.save(books[number])
            }
            let ada = Query<Author>(#Predicate { $0.name == "Ada" })
            let count = try await trial.manager.update(matching: Query<Book>(related: [.to(\.author, ada)])) {
                $0.set(\.subtitle, to: "by Ada")
            }
            try expect("the number of changed books", count, is: 2)
            for (number, book) in books.enumerated() {
                let stored = try await trial.manager.require(book.id)
                try expect("the subtitle of \(number)", stored.subtitle, is: number % 2 == 1 ? "by Ada" : nil)
            }
        }.tests("bulk.1"),
        law(.concurrency, "Concurrent updates by query and by id lose nothing") { trial in
            let counters = (0..<20).map { _ in Counter(trial.id()) }
            try await trial.manager.create(contentsOf: counters)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        for _ in 0..<3 {
                            try await trial.manager.update(matching: Query<Counter>()) { $0.add(\.count, 1) }
                            _ = try await trial.manager.change(counters[number].id, retry: .patient) { $0.count += 1 }
                        }
                    }
                }
                try await group.waitForAll()
            }
            for (number, counter) in counters.enumerated() {
                let expected = number < 4 ? 15 : 12
                try await trial.expectStored(Counter(counter.id, expected), version: Int64(expected) + 1)
            }
        }.tests("bulk.1", "bulk.3"),
    ]

    static func law(
        _ group: LawGroup, _ name: String, needs: Set<Capability> = [],
        check: @escaping @Sendable (Trial) async throws -> Void
    ) -> Law { Law(group, name, needs: needs.union([.bulkUpdates]), check: check) }
}

extension RetryPolicy {
    fileprivate static var patient: RetryPolicy { RetryPolicy(attempts: 200) }
}

extension Trial {
    /// Stores books, with their numbers as pages.
    @discardableResult
    func books(_ count: Int) async throws -> [Book] {
        let books = (0..<count).map { number in
            var book = Book(id(), "Book \(number)")
            (book.pages, book.published) = (number, CalendarDay("2024-02-28"))
            return book
        }
        try await manager.create(contentsOf: books)
        return books
    }

    /// Stores parcels, with optional unique prices.
    fileprivate func parcels(_ prices: [ExactDecimal?]) async throws -> [Parcel] {
        let parcels = prices.map { price in
            var parcel = Parcel(id: id())
            parcel.maybePrice = price
            return parcel
        }
        try await manager.create(contentsOf: parcels)
        return parcels
    }
}
