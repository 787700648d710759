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
