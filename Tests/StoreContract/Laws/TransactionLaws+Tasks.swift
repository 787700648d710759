internal import LarderData
internal import LarderDomain

extension TransactionLaws {
    static let tasks: [Law] = [
        Law(.transactions, "Concurrent tasks of one body lose no changes of each other") { trial in
            for round in 0..<10 {
                let genre = Genre(trial.id(), "Genre \(round)")
                var book = Book(trial.id(), "Old")
                book.genres = [genre.id]
                try await trial.manager.create(genre)
                try await trial.manager.create(book)
                (book.title, book.genres) = ("New", [])
                let new = book
                try await trial.manager.transaction { manager in
                    async let deletion: Void = manager.delete(genre.id)
                    async let update = manager.save(new)
                    _ = try await (deletion, update)
                }
                try await trial.expectStored(new, version: 2)
                try await trial.expectAbsent(genre.id)
            }
        }.tests("transaction.5"),
        Law(.transactions, "A change that is planned during a save is stored by the next save") { trial in
            let unit = UnitOfWork(trial.store)
            for round in 0..<10 {
                let authors = (0..<3).map { Author(trial.id(), "Author \(round) \($0)") }
                let objects = try authors.map { try $0.object }
                try await unit.save(objects[0])
                async let first = unit.saveIfNeeded()
                async let second = unit.save(objects[1])
                async let third = unit.save(objects[2])
                _ = try await (first, second, third)
                try await unit.saveIfNeeded()
                try expect("whether it has changes", unit.hasChanges, is: false)
                for author in authors { try await trial.expectStored(author, version: 1) }
            }
        }.tests("transaction.5"),
        Law(.transactions, "Entities that are only read are checked, even if they do not fit into memory") { trial in
            // A transaction keeps the contents of 16 MiB.
            let subtitle = String(repeating: "x", count: 1 << 20)
            var books: [Book] = []
            for number in 0..<20 {
                var book = Book(trial.id(), "Book \(number)")
                book.subtitle = subtitle
                try await trial.manager.create(book)
                books.append(book)
            }
            let note = Author(trial.id(), "Note")
            let (store, manager) = try trial.recording()
            let (first, outer) = (books[0].id, trial.manager)
            store.beforeNextCommit { _ in try await outer.change(first) { $0.title = "Changed" } }
            try await manager.transaction { manager in
                let page = try await manager.read(Query<Book>(sort: [Sort(\.id)]))
                try expect("the number of books", page.items.count, is: 20)
                let title = try await manager.require(first).title
                try await manager.create(Author(note.id, title))
            }
            try await trial.expectStored(Author(note.id, "Changed"))
            try await manager.transaction { manager in
                for book in try await manager.read(Query<Book>()).entities {
                    var changed = book
                    changed.pages = 7
                    try await manager.save(changed)
                }
            }
            for book in books {
                let stored = try await trial.manager.require(book.id)
                try expect("the version", stored.version, is: book.id == first ? 3 : 2)
            }
        }.tests("transaction.16"),
        Law(.transactions, "A page inside a transaction may have any length") { trial in
            let authors = ["Ada", "Bea"].map { Author(trial.id(), $0) }
            try await trial.manager.create(authors[0])
            let found = try await trial.manager.transaction { manager in
                try await manager.create(authors[1])
                return try await manager.read(Query<Author>(limit: .max)).items.map(\.entity)
            }
            try expect("the result", found, is: authors)
        }.tests("query.1", "transaction.3"),
    ]
}
