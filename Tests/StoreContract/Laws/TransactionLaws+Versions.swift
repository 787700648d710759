internal import LarderData
internal import LarderDomain

/// The versions that a transaction returns, inside and at its end.
extension TransactionLaws {
    static let versions: [Law] = [
        Law(.transactions, "What a body creates has version 1 for it, however it asks") { trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.transaction { manager in
                let created = try await manager.create(author)
                try expect("what create answers", created, is: Stored(author, version: 1))
                try expect("what a read answers", try await manager.read(author.id), is: Stored(author, version: 1))
                let found = try await manager.read(Query<Author>()).items
                try expect("what a query answers", found, is: [Stored(author, version: 1)])
                try await manager.update(Author(author.id, "Bea"), expecting: 1)
            }
            try await trial.expectStored(Author(author.id, "Bea"), version: 1)
        },
        Law(.transactions, "What a body deletes and creates again goes on with its versions") { trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            let again = Author(author.id, "Bea")
            try await trial.manager.transaction { manager in
                try await manager.delete(author.id)
                try expect("what create answers", try await manager.create(again), is: Stored(again, version: 1))
            }
            try await trial.expectStored(again, version: 2)
            try await trial.manager.transaction { manager in
                try await manager.delete(author.id)
                try expect("what create answers", try await manager.create(author), is: Stored(author, version: 2))
                try expect("what a read answers", try await manager.read(author.id), is: Stored(author, version: 2))
            }
            try await trial.expectStored(author, version: 3)
        },
        Law(.transactions, "What is created over something fails, also when the body deletes it again") { trial in
            let author = Author(trial.id(), "Ada")
            try await trial.manager.create(author)
            let error = try await failure(of: "creating what is there, and deleting it") {
                try await trial.manager.transaction { manager in
                    try await manager.create(Author(author.id, "Bea"))
                    try await manager.delete(author.id)
                }
            }
            switch error {
            case .conflict, .duplicate: break
            default: throw LawBroken("it failed otherwise: \(error)")
            }
            try await trial.expectStored(author, version: 1)
        },
        Law(.transactions, "An update that lets go what it owned answers the version that is stored") { trial in
            let picture = Picture(trial.id(), [1])
            var book = Book(trial.id(), "Bread")
            book.cover = picture.id
            try await trial.manager.create(picture)
            try await trial.manager.create(book)
            book.cover = nil
            let saved = try await trial.manager.update(book, expecting: 1)
            try expect("what update answers", saved, is: Saved(.updated, Stored(book, version: 2)))
            try await trial.expectStored(book, version: 2)
            try await trial.expectAbsent(picture.id)
        },
        Law(.transactions, "A deletion that expects another version is shown what is there, inside and outside") {
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
        },
    ]
}
