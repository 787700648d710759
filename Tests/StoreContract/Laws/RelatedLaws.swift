#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderData
internal import LarderDomain

/// Conditions on other entities, compared with filters in plain Swift.
enum RelatedLaws {
    static let all: [Law] = [
        Law(.queries, "A query finds entities whose reference, or one of whose links, is to matching ones") { trial in
            let library = try await ReviewedShop(trial)
            let authors = Set(library.authors.prefix(2).map(\.id))
            try await trial.expectFound("books by the first authors", library.byFirst, in: library.shop) {
                $0.author.map(authors.contains) ?? false
            }
            try await trial.expectFound("books not by the first authors", .not(library.byFirst), in: library.shop) {
                !($0.author.map(authors.contains) ?? false)
            }
            try await trial.expectFound("books by any author", .to(\.author, Query<Author>()), in: library.shop) {
                $0.author != nil
            }
            try await trial.expectFound(
                "books by none", .to(\.author, Query(#Predicate { $0.name == "Nobody" })), in: library.shop
            ) { _ in false }
            let genre = library.shop.genres[2]
            let name = genre.name
            let inGenre = Related<Book>.to(\.genres, Query(#Predicate { $0.name == name }))
            try await trial.expectFound("books of a genre", inGenre, in: library.shop) { $0.genres.contains(genre.id) }
            try await trial.expectFound("books of other genres", .not(inGenre), in: library.shop) {
                !$0.genres.contains(genre.id)
            }
            let reviews = try await trial.manager.read(
                Query<Review>(related: [.to(\.book, Query(#Predicate { $0.inPrint }))])
            ).items.map(\.id)
            let inPrint = Set(library.shop.books.filter(\.inPrint).map(\.id))
            try expect(
                "reviews of books in print", reviews, is: library.reviews.filter { inPrint.contains($0.book) }.map(\.id)
            )
            // More than a condition tests one by one.
            let many = (0..<70).map { Genre(trial.id(), "Many \($0)") }
            try await trial.manager.create(contentsOf: many)
            let books = library.shop.books.prefix(2).map(\.id)
            for (book, genre) in zip(books, [many[0].id, many[69].id]) {
                try await trial.manager.change(book) { $0.genres = [genre] }
            }
            let names = many.map(\.name)
            let inMany = Query<Book>(related: [.to(\.genres, Query(#Predicate { names.contains($0.name) }))])
            try expect("books of many genres", try await trial.manager.read(inMany).items.map(\.id), is: books)
        }.tests("related.1", "related.2", "related.3", "related.6", "condition.21", "condition.22"),
        Law(.queries, "A query finds entities to which matching ones refer or link, also if others refer to none") {
            trial in
            let library = try await ReviewedShop(trial)
            let books = library.shop.books
            let good = Set(library.reviews.filter { $0.stars > 2 }.map(\.book))
            let reviewed = Related<Book>.from(\Review.book, Query(#Predicate { $0.stars > 2 }))
            try await trial.expectFound("books with good reviews", reviewed, in: library.shop) { good.contains($0.id) }
            try await trial.expectFound("books without", .not(reviewed), in: library.shop) { !good.contains($0.id) }
            let sequels = Set(books.filter(\.inPrint).compactMap(\.sequel))
            let sequel = Related<Book>.from(\Book.sequel, Query(#Predicate { $0.inPrint }))
            try await trial.expectFound("sequels of books in print", sequel, in: library.shop) {
                sequels.contains($0.id)
            }
            try await trial.expectFound("others", .not(sequel), in: library.shop) { !sequels.contains($0.id) }
            let used = Set(books.filter { !$0.inPrint }.flatMap(\.genres))
            for isNegated in [false, true] {
                let linked = Related<Genre>.from(\Book.genres, Query(#Predicate { !$0.inPrint }))
                let genres = try await trial.manager.read(Query(related: [isNegated ? .not(linked) : linked])).entities
                let expected = library.shop.genres.filter { used.contains($0.id) != isNegated }
                try expect("genres of books out of print, or not", genres.map(\.id), is: expected.map(\.id))
            }
            let last = Genre(trial.id(), "Last")
            try await trial.manager.create(last)
            try await trial.manager.change(books[0].id) { $0.genres = [library.shop.genres[0].id, last.id] }
            let ends = Query<Genre>(#Predicate { $0.name == "Last" }, related: [.from(\Book.genres)])
            try expect("a genre that ends a list", try await trial.manager.read(ends).entities, is: [last])
        }.tests("related.4", "related.5", "related.6", "condition.21"),
        Law(.queries, "Conditions on other entities have any number of levels, also of one type") { trial in
            let library = try await ReviewedShop(trial)
            let authors = Set(library.authors.prefix(2).map(\.id))
            let books = Dictionary(library.shop.books.map { ($0.id, $0) }) { first, _ in first }
            let bySequel = Related<Book>.to(\.sequel, Query(#Predicate { $0.inPrint }, related: [library.byFirst]))
            func isBySequel(_ book: Book) -> Bool {
                guard let sequel = book.sequel.flatMap({ books[$0] }) else { return false }
                return sequel.inPrint && sequel.author.map(authors.contains) ?? false
            }
            try await trial.expectFound("books with a sequel by them", bySequel, in: library.shop, where: isBySequel)
            let second = Related<Book>.to(\.sequel, Query(related: [.not(bySequel)]))
            try await trial.expectFound("books with another sequel", second, in: library.shop) { book in
                book.sequel.flatMap { books[$0] }.map { !isBySequel($0) } ?? false
            }
        }.tests("related.1", "related.2", "condition.21"),
        Law(.queries, "Conditions on other entities apply to pages, totals, counts, figures, streams and deletes") {
            trial in
            let library = try await ReviewedShop(trial)
            let authors = Set(library.authors.prefix(2).map(\.id))
            let found = library.shop.books.filter { ($0.author.map(authors.contains) ?? false) && $0.inPrint }
            var query = Query<Book>(
                #Predicate { $0.inPrint }, related: [library.byFirst], sort: [Sort(\.title, .descending)], limit: 3,
                includesTotal: true)
            let pages = try await trial.pages(of: query)
            try expect("the pages", Set(pages.joined().map(\.id)), is: Set(found.map(\.id)))
            try expect("the total", try await trial.manager.read(query).total, is: found.count)
            // The stream reads a page for each book.
            (query.limit, query.byteLimit) = (nil, 1)
            let stream = trial.manager.stream(query)
            var streamed: [EntityID<Book>] = []
            for try await book in stream { streamed.append(book.id) }
            try expect("the stream", streamed, is: pages.joined().map(\.id))
            let counts = try await trial.manager.counts(query, by: .members(\.genres))
            for genre in library.shop.genres {
                try expect("the count", counts[genre.id] ?? 0, is: found.count { $0.genres.contains(genre.id) })
            }
            let figures = try await trial.manager.aggregates(query, by: .value(\.author), of: .count)
            try expect("the number of books", figures.reduce(0) { $0 + $1.values }, is: found.count)
            let lines = try await trial.manager.read(query, as: BookLine.self).items
            try expect("the lines", lines.map(\.id), is: streamed)
            let deleted = try await trial.manager.delete(
                matching: Query<Review>(related: [.to(\.book, Query(#Predicate { $0.inPrint }))]))
            let inPrint = Set(library.shop.books.filter(\.inPrint).map(\.id))
            try expect("the deleted reviews", deleted, is: library.reviews.count { inPrint.contains($0.book) })
            let shelves = library.shop.books.map { Shelf(trial.id(), room: "hall", books: [$0.id]) }
            try await trial.manager.create(contentsOf: shelves)
            // No other entity is affected by the deletion of a shelf.
            let removed = try await trial.manager.delete(
                matching: Query<Shelf>(related: [.to(\.books, Query(#Predicate { $0.inPrint }))]))
            try expect("the deleted shelves", removed, is: inPrint.count)
            try await trial.expectCount(shelves.count - inPrint.count, of: Shelf.self)
        }.tests("related.1", "query.1", "query.2", "tally.1", "figure.1", "stream.5"),
    ]

    static let pending: [Law] = [
        Law(.transactions, "Conditions on other entities include the pending changes of both") { trial in
            let library = try await ReviewedShop(trial)
            let (gone, other) = (library.authors[0], library.authors[3])
            let book = library.shop.books[0]
            let new = Author(trial.id(), "Newcomer")
            let isNew = Related<Book>.to(\.author, Query(#Predicate { $0.name == "Newcomer" }))
            let found = try await trial.manager.transaction { manager in
                try await manager.create(new)
                try await manager.change(book.id) { ($0.author, $0.sequel) = (new.id, nil) }
                try await manager.save(Author(other.id, "Renamed"))
                for review in library.reviews.prefix(3) { try await manager.delete(review.id) }
                let byNew = try await manager.read(Query(related: [isNew], includesTotal: true))
                try expect("books by the new author", byNew.items.map(\.id), is: [book.id])
                try expect("their number", byNew.total, is: 1)
                let name = other.name
                let byOld = Query<Book>(related: [.to(\.author, Query(#Predicate { $0.name == name }))])
                try expect("books by the former name", try await manager.read(byOld).items.count, is: 0)
                let counted = try await manager.aggregates(Query(related: [isNew]), of: .count).map(\.values)
                try expect("the figures", counted, is: [1])
                return try await manager.read(Query<Book>(related: [.from(\Review.book)])).items.map(\.id)
            }
            let reviewed = Set(library.reviews.dropFirst(3).map(\.book))
            try expect("reviewed books", found, is: library.shop.books.map(\.id).filter(reviewed.contains))
            try expect("the author is stored", try await trial.manager.read(gone.id)?.entity, is: gone)
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            store.beforeNextCommit { _ in try await outer.save(Author(gone.id, "Gone")) }
            var runs = 0
            try await manager.transaction { manager in
                runs += 1
                _ = try await manager.read(Query<Review>(related: [.to(\.book, Query(related: [library.byFirst]))]))
                try await manager.create(Genre(trial.id(), "genre"))
            }
            try expect("the number of runs", runs, is: 1)
        }.tests("transaction.3", "related.2", "related.4", "related.7"),
        Law(.changes, "A live query follows changes of the other entities of its conditions") { trial in
            let library = try await ReviewedShop(trial)
            let name = library.authors[0].name
            let query = Query<Book>(related: [.to(\.author, Query(#Predicate { $0.name == name }))])
            var pages = try await trial.manager.observe(query).makeAsyncIterator()
            let first = try await pages.next(isolation: #isolation)
            try expect("the first page", first?.items.isEmpty, is: false)
            try await trial.manager.save(Author(library.authors[0].id, "Renamed"))
            try expect("the page", try await pages.next(isolation: #isolation)?.items.count, is: 0)
            try await trial.manager.save(library.authors[0])
            try expect("the page", try await pages.next(isolation: #isolation)?.entities, is: first?.entities)
            let reviewed = Query<Review>(related: [.to(\.book, query)])
            var reviews = try await trial.manager.observe(reviewed).makeAsyncIterator()
            try expect("reviews", try await reviews.next(isolation: #isolation)?.items.isEmpty, is: false)
            try await trial.manager.save(Author(library.authors[0].id, "Renamed"))
            try expect("reviews, then", try await reviews.next(isolation: #isolation)?.items.count, is: 0)
        }.tests("live.1", "related.2"),
    ]
}

/// A bookshop whose books have reviews.
private struct ReviewedShop: Sendable {
    let shop: Bookshop
    let reviews: [Review]
    var authors: [Author] { shop.authors }
    /// By one of the first two authors.
    let byFirst: Related<Book>

    init(_ trial: Trial) async throws {
        shop = try await trial.bookshop(count: 40)
        var chance = Chance(seed: 11)
        reviews = shop.books.filter { _ in chance.happens(oneIn: 2) }.map { book in
            Review(trial.id(), Int.random(in: 0...5, using: &chance), of: book.id)
        }
        try await trial.manager.create(contentsOf: reviews)
        let names = shop.authors.prefix(2).map(\.name)
        byFirst = .to(\.author, Query(#Predicate { names.contains($0.name) }))
    }
}

extension Trial {
    fileprivate func expectFound(
        _ what: String, _ related: Related<Book>, in shop: Bookshop, where filter: (Book) -> Bool
    ) async throws {
        let page = try await manager.read(Query(related: [related], includesTotal: true))
        let expected = shop.books.filter(filter)
        try expect("the number of \(what)", page.total, is: expected.count)
        try expect("what is found as \(what)", page.items.map(\.id), is: expected.map(\.id))
    }
}
