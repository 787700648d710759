#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderData
internal import LarderDomain

extension QueryLaws {
    static let counts: [Law] = [
        Law(.queries, "Any query over columns has the result of an oracle in plain Swift") { trial in
            try await trial.askDifferently(150)
        }.tests(DifferentialRound.requirements),
        Law(.queries, "Any condition over relationships has the result of the interpreter") { trial in
            let shop = try await trial.bookshop()
            let objects = try shop.books.map { try $0.object }
            var conditions = RandomConditions(shop)
            for _ in 0..<200 {
                let condition = conditions.next()
                let found = try await trial.store.read(ReadRequest(BookMapper.schema, where: condition)).items
                let expected = objects.filter(condition.holds)
                if found != expected {
                    throw LawBroken("\(condition) finds \(found.count) roots and should find \(expected.count)")
                }
            }
        }.tests("condition.1", "condition.15", "condition.16", "operand.3", "operand.4"),
        Law(.queries, "A derived column can be queried") { trial in
            for name in ["Crime", "CRIME and more", "Baking"] {
                try await trial.manager.create(Genre(trial.id(), name))
            }
            let found = try await trial.manager.read(
                Query<Genre>(#Predicate { $0.foldedName.starts(with: "crime") }))
            try expect("the result", found.entities.map(\.name), is: ["Crime", "CRIME and more"])
        }.tests("query.1"),
        Law(.queries, "Counts by a value are those of the entities that match") { trial in
            let shop = try await trial.bookshop()
            let byPages = try await trial.manager.counts(Query<Book>(), by: .value(\.pages))
            let pages = Dictionary(grouping: shop.books.compactMap(\.pages)) { $0 }.mapValues(\.count)
            try expect("the counts by pages", byPages, is: pages)
            let byTitle = try await trial.manager.counts(
                Query<Book>(#Predicate { $0.inPrint }), by: .value(\.title))
            let titles = Dictionary(grouping: shop.books.filter(\.inPrint).map(\.title)) { $0 }.mapValues(\.count)
            try expect("the counts by title", byTitle, is: titles)
            let byAuthor = try await trial.manager.counts(Query<Book>(), by: .value(\.author))
            let authors = Dictionary(grouping: shop.books.compactMap(\.author)) { $0 }.mapValues(\.count)
            try expect("the counts by author", byAuthor, is: authors)
        }.tests("tally.1", "tally.3"),
        Law(.queries, "Counts by a relationship count each entity once, also if it has an id twice") { trial in
            let shop = try await trial.bookshop()
            let byGenre = try await trial.manager.counts(
                Query<Book>(#Predicate { $0.inPrint }), by: .members(\.genres))
            let genres = shop.books.filter(\.inPrint).flatMap(\.genres)
            try expect("the counts by genre", byGenre, is: Dictionary(grouping: genres) { $0 }.mapValues(\.count))
            let book = shop.books[0].id
            try await trial.manager.create(Shelf(trial.id(), room: "kitchen", books: [book, shop.books[1].id, book]))
            let byBook = try await trial.manager.counts(Query<Shelf>(), by: .members(\.books))
            try expect("the counts by book", byBook, is: [book: 1, shop.books[1].id: 1])
        }.tests("counts.7", "tally.2"),
        Law(.queries, "Counts by the length of an owned list are those of the entities that match") { trial in
            let shop = try await trial.bookshop()
            let counts = try await trial.manager.counts(Query<Book>(), by: .size(\.chapters))
            let lengths = Dictionary(grouping: shop.books.map(\.chapters.count)) { $0 }.mapValues(\.count)
            try expect("the counts by chapters", counts, is: lengths)
            let inPrint = try await trial.manager.counts(Query<Book>(#Predicate { $0.inPrint }), by: .size(\.chapters))
            let printed = Dictionary(grouping: shop.books.filter(\.inPrint).map(\.chapters.count)) { $0 }
            try expect("the counts of the books in print", inPrint, is: printed.mapValues(\.count))
        }.tests("counts.8"),
        Law(.queries, "Counts of no entities are empty") { trial in
            let counts = try await trial.manager.counts(Query<Book>(), by: .members(\.genres))
            try expect("the counts", counts, is: [:])
        }.tests("tally.2"),
    ]
}
