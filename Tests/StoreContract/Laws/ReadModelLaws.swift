internal import LarderData
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Laws of structs that a query reads instead of entities.
enum ReadModelLaws {
    static let all: [Law] = [
        Law(.queries, "A read model has the values of its entity, and the numbers of what it owns") { trial in
            let shop = try await trial.bookshop()
            let query = Query<Book>(#Predicate { $0.inPrint }, sort: [Sort(\.title, .descending)], includesTotal: true)
            let page = try await trial.manager.read(query, as: BookLine.self)
            let expected = try await trial.manager.read(query).entities.map(BookLine.init)
            try expect("the lines", page.items, is: expected)
            try expect("the total", page.total, is: shop.books.count(where: \.inPrint))
            try expect("the next page", page.next, is: nil)
        }.tests("query.5", "request.23"),
        Law(.queries, "A read model has whole value objects, present or absent") { trial in
            var venues = try trial.venues()
            for index in venues.indices { venues[index].name = "Étage \(index)" }
            for venue in venues { try await trial.manager.create(venue) }
            let lines = try await trial.manager.read(Query<Venue>(), as: VenueLine.self).items
            try expect("the lines", lines, is: venues.map(VenueLine.init))
        }.tests("query.5", "part.1"),
        Law(.order, "Pages of read models continue those of entities, and the other way round") { trial in
            let shop = try await trial.bookshop()
            for sort in [[Sort<Book>(\.pages)], [Sort(\.published, .descending), Sort(\.title)], []] {
                var query = Query<Book>(sort: sort, limit: 3)
                var found: [EntityID<Book>] = []
                repeat {
                    let lines = try await trial.manager.read(query, as: BookLine.self)
                    let page = try await trial.manager.read(query)
                    try expect("a page", lines.items, is: page.entities.map(BookLine.init))
                    try expect("the next page", lines.next, is: page.next)
                    try expect("the previous page", lines.previous, is: page.previous)
                    found += lines.items.map(\.id)
                    query.after = lines.next
                } while query.after != nil
                try expect("the number of lines", found.count, is: shop.books.count)
                (query.limit, query.byteLimit) = (nil, 1)
                let all = try await trial.manager.read(query, as: BookLine.self)
                try expect("the lines of a query with a limit of bytes", all.items.map(\.id), is: found)
                try expect("the next page", all.next, is: nil)
            }
        }.tests("query.5", "request.23"),
        Law(.transactions, "Read models in a transaction have its changes, and the commit checks their versions") {
            trial in
            var book = Book(trial.id(), "a")
            book.chapters = [Chapter(trial.id(), "1")]
            try await trial.manager.create(book)
            let (stored, query) = (book, Query<Book>())
            try await trial.manager.transaction { manager in
                var changed = stored
                changed.title = "b"
                changed.chapters = []
                try await manager.save(changed)
                let lines = try await manager.read(query, as: BookLine.self).items
                try expect("the lines", lines, is: [BookLine(changed)])
            }
            let (store, manager) = try trial.recording()
            let outer = trial.manager
            store.beforeNextCommit { _ in try await outer.change(stored.id) { $0.title = "c" } }
            var titles: [String] = []
            try await manager.transaction { manager in
                titles += try await manager.read(query, as: BookLine.self).items.map(\.title)
                try await manager.create(Genre(trial.id(), "genre"))
            }
            try expect("the titles that the attempts have read", titles, is: ["b", "c"])
        }.tests("query.5"),
        Law(.queries, "A search is answered with read models in the order of its ranks") { trial in
            for (index, word) in ["old", "new", "old old", "older", "old"].enumerated() {
                try await trial.manager.create(Letter(trial.id(), subject: index == 4 ? "old" : "", body: word))
            }
            let query = Query<Letter>(search: "old", limit: 2, includesTotal: true)
            let entities = try await trial.manager.read(query)
            let lines = try await trial.manager.read(query, as: LetterLine.self)
            try expect("the letters", lines.items.map(\.id), is: entities.items.map(\.id))
            try expect("the total", lines.total, is: entities.total)
            try expect("the next page", lines.next, is: entities.next)
        }.tests("query.5"),
        Law(.queries, "A read model has the values of the last commit, also of what its entity owns") { trial in
            var venue = try trial.fullVenue("a")
            venue.halls = [Hall(id: trial.id(), seats: 3)]
            let changes: [(inout Venue) -> Void] = [
                { _ in }, { $0.halls[0].seats = -4 }, { $0.branch = nil }, { $0.name = "Ä" }, { $0.halls = [] },
            ]
            for change in changes {
                change(&venue)
                try await trial.manager.save(venue)
                let lines = try await trial.manager.read(Query<Venue>(), as: VenueLine.self).items
                try expect("the lines", lines, is: [VenueLine(venue)])
            }
            try await trial.manager.delete(venue.id)
            let lines = try await trial.manager.read(Query<Venue>(), as: VenueLine.self).items
            try expect("the lines", lines, is: [])
        }.tests("query.5"),
        Law(.queries, "A read model also counts and adds what the condition does not select") { trial in
            var venues = [try trial.fullVenue("a"), try trial.fullVenue("b"), try trial.fullVenue("c")]
            for (index, seats) in [[100, 20, 100], [7], [-5, 100]].enumerated() {
                venues[index].halls = seats.map { Hall(id: trial.id(), seats: $0) }
                try await trial.manager.create(venues[index])
            }
            for limit in [nil, 5] {
                let query = Query<Venue>(#Predicate { $0.halls.contains { $0.seats == 100 } }, limit: limit)
                let lines = try await trial.manager.read(query, as: VenueLine.self).items
                try expect("the lines", lines, is: [VenueLine(venues[0]), VenueLine(venues[2])])
            }
        }.tests("query.5"),
        Law(.queries, "A read model counts a link as often as its entity has it") { trial in
            let genres = (0..<2).map { Genre(trial.id(), "genre \($0)") }
            try await trial.manager.create(contentsOf: genres)
            for links in [[0, 1, 0], [], [1, 1], [0]] {
                var book = Book(trial.id(), "book")
                book.genres = links.map { genres[$0].id }
                try await trial.manager.create(book)
            }
            for limit in [nil, 5] {
                let lines = try await trial.manager.read(Query<Book>(limit: limit), as: BookLine.self).items
                try expect("the numbers of genres", lines.map(\.genres), is: [3, 0, 2, 1])
            }
        }.tests("query.5"),
    ]
}

extension BookLine {
    fileprivate init(_ book: Book) {
        self.init(
            id: book.id, title: book.title, published: book.published, chapters: book.chapters.count,
            genres: book.genres.count)
    }
}

extension VenueLine {
    fileprivate init(_ venue: Venue) {
        self.init(
            id: venue.id, foldedName: venue.name.folded, place: venue.place, branch: venue.branch,
            season: venue.season, fee: venue.fee, city: venue.place.city, halls: venue.halls.count,
            seats: venue.halls.reduce(0) { $0 + $1.seats })
    }
}
