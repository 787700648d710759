internal import LarderData
internal import LarderDomain

/// The versions that a transaction returns, inside and at its end.
extension TransactionLaws {
    static let versions: [Law] = [
        Law(.transactions, "A body sees its created entities at version 1, however it reads them") { trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.transaction { manager in
                let created = try await manager.create(author)
                try expect("the result of create", created, is: Stored(author, version: 1))
                try expect("the result of a read", try await manager.read(author.id), is: Stored(author, version: 1))
                let found = try await manager.read(Query<Author>()).items
                try expect("the result of a query", found, is: [Stored(author, version: 1)])
                try await manager.update(Author(author.id, "Bea"), expecting: 1)
            }
            try await trial.expectStored(Author(author.id, "Bea"), version: 1)
        }.tests("create.1", "manager.5", "transaction.3"),
        Law(.transactions, "An entity that a body deletes and creates again continues its versions") { trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            let again = Author(author.id, "Bea")
            try await trial.manager.transaction { manager in
                try await manager.delete(author.id)
                try expect("the result of create", try await manager.create(again), is: Stored(again, version: 2))
            }
            try await trial.expectStored(again, version: 2)
            try await trial.manager.transaction { manager in
                try await manager.delete(author.id)
                try expect("the result of create", try await manager.create(author), is: Stored(author, version: 3))
                try expect("the result of a read", try await manager.read(author.id), is: Stored(author, version: 3))
            }
            try await trial.expectStored(author, version: 3)
        }.tests("manager.5"),
        Law(.transactions, "A body sees each changed entity at the version that it will have, or at that of no change")
        {
            trial in
            let book = Book(trial.id(), "a")
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            try await trial.manager.create(book)
            try await trial.manager.transaction { manager in
                func expectVersion(_ version: Int64, _ saved: Saved<Book>? = nil) async throws {
                    if let saved { try expect("the version of a change", saved.stored.version, is: version) }
                    try expect("the version of a read", try await manager.read(book.id)?.version, is: version)
                    let found = try await manager.read(Query<Book>()).items.map(\.version)
                    try expect("the version of a query", found, is: [version])
                }
                try await expectVersion(2, try await manager.change(book.id) { $0.title = "b" })
                try await expectVersion(2, try await manager.change(book.id) { $0.title = "c" })
                try await expectVersion(1, try await manager.change(book.id) { $0.title = "a" })
                var changed = book
                changed.author = author.id
                try await expectVersion(2, try await manager.update(changed, expecting: 1))
                changed.pages = 1
                try await expectVersion(2, try await manager.update(changed, expecting: 2))
                changed.pages = 2
                try await expectVersion(2, try await manager.update(changed, expecting: 1))
                try await conflict(of: "an update of another version") { try await manager.update(book, expecting: 3) }
            }
            try expect("the version", try await trial.manager.read(book.id)?.version, is: 2)
            let page = try await trial.manager.transaction { manager in
                try await manager.change(book.id) { $0.pages = 3 }
                try await manager.change(book.id) { $0.pages = 2 }
                return try await manager.require(book.id)
            }
            try expect("the version of an entity changed back", page.version, is: 2)
            try expect("its stored version", try await trial.manager.read(book.id)?.version, is: 2)
            // The removal of a reference is a change, too.
            let genre = Genre(trial.id(), "genre")
            var books = [Book(trial.id(), "read before the deletion"), Book(trial.id(), "read after it")]
            for index in books.indices { books[index].genres = [genre.id] }
            try await trial.manager.create(genre)
            try await trial.manager.create(contentsOf: books)
            let ids = books.map(\.id)
            let versions = try await trial.manager.transaction { manager in
                _ = try await manager.require(ids[0])
                try await manager.delete(genre.id)
                return try await manager.read(ids).map(\.version)
            }
            try expect("the versions of entities without the reference", versions, is: [2, 2])
            try expect("their stored versions", try await trial.manager.read(ids).map(\.version), is: [2, 2])
        }.tests("manager.5", "manager.7"),
        Law(.transactions, "The creation of an existing entity fails, also if the body deletes it again") { trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            let error = try await failure(of: "creating an existing entity, and deleting it") {
                try await trial.manager.transaction { manager in
                    try await manager.create(Author(author.id, "Bea"))
                    try await manager.delete(author.id)
                }
            }
            switch error {
            case .conflict, .duplicate: break
            default: throw LawBroken("unexpected error: \(error)")
            }
            try await trial.expectStored(author, version: 1)
        }.tests("create.3", "transaction.15"),
        Law(.transactions, "An update that deletes an owned root returns the stored version") { trial in
            let picture = Picture(trial.id(), [1])
            var book = Book(trial.id(), "Bread")
            book.cover = picture.id
            try await trial.manager.create(picture)
            try await trial.manager.create(book)
            book.cover = nil
            let saved = try await trial.manager.update(book, expecting: 1)
            try expect("the result of update", saved, is: Saved(.updated, Stored(book, version: 2)))
            try await trial.expectStored(book, version: 2)
            try await trial.expectAbsent(picture.id)
        }.tests("delete.2", "update.1"),
        Law(.transactions, "A deletion that expects another version gets the stored entity, inside and outside") {
            trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            let outside = try await conflict(of: "deleting a version that never was") {
                try await trial.manager.delete(author.id, expecting: 7)
            }
            try expect("theirs", outside.theirs as? Author, is: author)
            try await trial.manager.transaction { manager in
                let inside = try await conflict(of: "deleting a version that never was") {
                    try await manager.delete(author.id, expecting: 7)
                }
                try expect("theirs", inside.theirs as? Author, is: author)
            }
            try await trial.expectStored(author, version: 1)
        }.tests("conflict.6", "delete.5"),
    ]
}
