internal import LarderData
internal import LarderDomain

enum GraphLaws {
    static let all: [Law] = [
        Law(.graph, "Owned objects are stored with their entity, in order, and nested") { trial in
            let book = try await trial.richBook()
            try await trial.manager.create(book)
            try await trial.expectStored(book, version: 1)
            let found = try await trial.manager.read(Query<Book>()).entities
            try expect("the book among all", found.first { $0.id == book.id }, is: book)
        }.tests("manager.2", "request.13", "store.2"),
        Law(.graph, "Owned objects can be added, changed and deleted one by one") { trial in
            var book = try await trial.richBook()
            try await trial.manager.create(book)
            book.chapters.append(Chapter(trial.id(), "Baking", notes: [Note(trial.id(), "hot")]))
            try await trial.saveAndExpect(book, version: 2)
            book.chapters[0].minutes = nil
            try await trial.saveAndExpect(book, version: 3)
            book.chapters.remove(at: 1)
            try await trial.saveAndExpect(book, version: 4)
            book.chapters = []
            try await trial.saveAndExpect(book, version: 5)
        }.tests("save.1", "set.22", "set.23", "set.24"),
        Law(.graph, "Nested owned objects can be added, changed and deleted") { trial in
            var book = try await trial.richBook()
            try await trial.manager.create(book)
            book.chapters[0].notes.insert(Note(trial.id(), "first of all"), at: 0)
            try await trial.saveAndExpect(book, version: 2)
            book.chapters[0].notes[1].text = "changed"
            try await trial.saveAndExpect(book, version: 3)
            book.chapters[0].notes.removeLast()
            try await trial.saveAndExpect(book, version: 4)
        }.tests("set.22", "set.23", "set.24"),
        Law(.graph, "Owned objects can be put into any order") { trial in
            var book = Book(trial.id(), "Bread")
            book.chapters = (0..<8).map { Chapter(trial.id(), "Chapter \($0)") }
            try await trial.manager.create(book)
            var chance = Chance(seed: 3)
            for version in 2...12 as ClosedRange<Int64> {
                let before = book.chapters
                while book.chapters == before { book.chapters.shuffle(using: &chance) }
                try await trial.saveAndExpect(book, version: version)
            }
            book.chapters = [book.chapters[7], Chapter(trial.id(), "new"), book.chapters[0], book.chapters[3]]
            try await trial.saveAndExpect(book, version: 13)
        }.tests("set.22", "set.23"),
        Law(.graph, "The ids of deleted owned objects are free") { trial in
            var book = try await trial.richBook()
            try await trial.manager.create(book)
            let chapters = book.chapters
            book.chapters = []
            try await trial.manager.update(book)
            try await trial.manager.delete(book.id)
            // The ids are free for any new owner; leftover notes would collide.
            var other = Book(trial.id(), "Cake")
            other.chapters = chapters.map { Chapter($0.id, "again") }
            try await trial.manager.create(other)
            try await trial.expectStored(other, version: 1)
            other.chapters = chapters
            try await trial.saveAndExpect(other, version: 2)
        }.tests("delete.1", "set.5", "set.24"),
        Law(.graph, "An owned object moves to another owner in one commit") { trial in
            var (one, two) = (try await trial.richBook(), Book(trial.id(), "Cake"))
            try await trial.manager.create(one)
            try await trial.manager.create(two)
            two.chapters = [one.chapters.remove(at: 0)]
            let (from, to) = (one, two)
            for order in [[to, from], [from, to]] {
                try await trial.manager.transaction { manager in
                    for book in order { try await manager.save(book) }
                }
            }
            try await trial.expectStored(one)
            try await trial.expectStored(two)
        }.tests("set.21"),
        Law(.graph, "An owned object has one owner: an id that another has is a duplicate") { trial in
            let one = try await trial.richBook()
            try await trial.manager.create(one)
            var two = Book(trial.id(), "Cake")
            two.chapters = [Chapter(one.chapters[0].id, "stolen")]
            let stolen = two
            let expected = Duplicate(entity: "chapter", columns: ["id"], existing: one.chapters[0].id.rawValue)
            let created = try await duplicate(of: "a stolen chapter") {
                try await trial.manager.create(stolen)
            }
            try expect("the duplicate", created, is: expected)
            two.chapters = []
            try await trial.manager.create(two)
            let updated = try await duplicate(of: "a stolen chapter") {
                try await trial.manager.update(stolen)
            }
            try expect("the duplicate", updated, is: expected)
            try await trial.expectStored(one, version: 1)
            try await trial.expectStored(two, version: 1)
        }.tests("commit.13", "duplicate.1", "duplicate.2", "duplicate.3"),
        Law(.graph, "Links keep their order and repeated ids") { trial in
            let books = (0..<4).map { Book(trial.id(), "Book \($0)") }
            for book in books { try await trial.manager.create(book) }
            let ids = books.map(\.id)
            var shelf = Shelf(trial.id(), room: "kitchen", books: [ids[2], ids[0], ids[2]])
            try await trial.manager.create(shelf)
            try await trial.expectStored(shelf, version: 1)
            for (step, books) in [
                [ids[0], ids[2], ids[2]], [ids[3]], [], [ids[1], ids[1], ids[1], ids[0]], [ids[0], ids[1]],
            ].enumerated() {
                shelf.books = books
                let version = Int64(step) + 2
                let saved = try await trial.manager.save(shelf)
                try expect("the result of save", saved, is: Saved(.updated, Stored(shelf, version: version)))
                try await trial.expectStored(shelf, version: version)
            }
        }.tests("set.18", "set.19", "set.20"),
        Law(.graph, "Entities that refer to each other are stored in one commit, whatever their order") { trial in
            let ids = trial.ids(3, Book.self)
            let ring = ids.enumerated().map { index, id in
                var book = Book(id, "Part \(index)")
                book.sequel = ids[(index + 1) % 3]
                return book
            }
            try await trial.manager.transaction { manager in
                for book in ring { try await manager.create(book) }
            }
            for book in ring { try await trial.expectStored(book, version: 1) }
            var alone = Book(trial.id(), "Itself")
            alone.sequel = alone.id
            try await trial.manager.create(alone)
            try await trial.expectStored(alone, version: 1)
        }.tests("commit.23"),
        Law(.graph, "A cyclic graph is loaded once") { trial in
            let ids = trial.ids(3, Book.self)
            let genre = Genre(trial.id(), "Baking")
            try await trial.manager.transaction { manager in
                try await manager.create(genre)
                for (index, id) in ids.enumerated() {
                    var book = Book(id, "Part \(index)")
                    (book.sequel, book.genres) = (ids[(index + 1) % 3], [genre.id])
                    try await manager.create(book)
                }
            }
            let graph = try await trial.manager.graph(
                from: [try await trial.manager.require(ids[0])],
                following: [
                    GraphEdge { (book: Book) in book.sequel.map { [$0] } ?? [] },
                    GraphEdge { (book: Book) in book.genres },
                ])
            try expect("the books of the graph", graph.all(Book.self).map(\.id), is: ids)
            try expect("the genres of the graph", graph.all(Genre.self).map(\.entity), is: [genre])
        }.tests("read.3"),
        Law(
            .graph, "The number of statements of a load depends on its types, not on its entities",
            needs: [.countsStatements]
        ) {
            trial in
            let shop = try await trial.bookshop(count: 100)
            func onceCounted(_ count: Int) async throws -> Int {
                let before = await trial.store.measured()?.statements ?? 0
                let found = try await trial.manager.read(Query<Book>(limit: count)).items
                try expect("the number of results", found.count, is: count)
                return (await trial.store.measured()?.statements ?? 0) - before
            }
            // The least of three, because a store may also read for itself, as for a mirror.
            func statements(reading count: Int) async throws -> Int {
                min(try await onceCounted(count), try await onceCounted(count), try await onceCounted(count))
            }
            try expect("statements counted", try await statements(reading: 2) > 0, is: true)
            // A cache answers the small page with fewer statements than a large one.
            let fewer = max(try await statements(reading: 2), try await statements(reading: 90))
            try expect("statements for 100", try await statements(reading: 100), is: fewer)
            let ids = shop.books.map(\.id)
            let before = await trial.store.measured()?.statements ?? 0
            _ = try await trial.manager.read(ids)
            let count = (await trial.store.measured()?.statements ?? 0) - before
            try expect(count <= 20, "reading \(ids.count) books by id took \(count) statements")
        }.tests("read.6"),
    ]
}

extension Trial {
    /// A book with objects in all its relationships, whose genre is stored.
    func richBook() async throws -> Book {
        let genre = Genre(id(), "Genre \(id(Genre.self))")
        try await manager.create(genre)
        var book = Book(id(), "Bread")
        book.genres = [genre.id]
        book.chapters = [
            Chapter(id(), "Flour", minutes: 5, notes: [Note(id(), "sieve it", source: genre.id), Note(id(), "twice")]),
            Chapter(id(), "Water"),
            Chapter(id(), "Salt", minutes: 1, notes: [Note(id(), "not too much")]),
        ]
        return book
    }

    fileprivate func saveAndExpect(_ book: Book, version: Int64) async throws {
        let saved = try await manager.save(book)
        try expect("the result of save", saved, is: Saved(.updated, Stored(book, version: version)))
        try await expectStored(book, version: version)
    }
}
