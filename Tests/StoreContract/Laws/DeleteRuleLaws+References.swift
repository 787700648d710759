internal import LarderData
internal import LarderDomain

extension DeleteRuleLaws {
    static let references: [Law] = [
        Law(.deleteRules, "A dangling reference is refused, naming entity, column and id") { trial in
            let nobody: EntityID<Author> = trial.id()
            var book = Book(trial.id(), "Bread")
            book.author = nobody
            let found = try await dangling(of: "an author that is not there") { try await trial.manager.create(book) }
            let expected = Dangling(entity: "book", column: "author_id", id: nobody.rawValue)
            try expect("the reference", found, is: expected)
            try await trial.expectAbsent(book.id)
        }.tests("create.4", "dangling.1", "dangling.2", "dangling.3", "error.5"),
        Law(.deleteRules, "A dangling link is refused, also among valid ones") { trial in
            let genre = Genre(trial.id(), "Baking")
            try await trial.manager.create(genre)
            var book = Book(trial.id(), "Bread")
            book.genres = [genre.id]
            try await trial.manager.create(book)
            book.genres = [genre.id, trial.id(), genre.id]
            let found = try await dangling(of: "a genre that is not there") { try await trial.manager.save(book) }
            let expected = Dangling(entity: "book", column: "genres", id: book.genres[1].rawValue)
            try expect("the link", found, is: expected)
            book.genres = [genre.id]
            try await trial.expectStored(book, version: 1)
        }.tests("commit.15", "dangling.2", "dangling.3", "error.5"),
        Law(.deleteRules, "A dangling reference of a nested owned object is refused") { trial in
            var book = try await trial.richBook()
            try await trial.manager.create(book)
            book.chapters[2].notes[0].source = trial.id()
            let found = try await dangling(of: "a source that is not there") { try await trial.manager.save(book) }
            try expect("the entity of the dangling reference", found.entity, is: "note")
            try expect("the column", found.column, is: "source_id")
        }.tests("commit.15", "dangling.1", "dangling.2"),
        Law(.deleteRules, "A reference to an id of another schema dangles") { trial in
            let genre = Genre(trial.id(), "Baking")
            try await trial.manager.create(genre)
            var book = Book(trial.id(), "Bread")
            book.author = EntityID(genre.id.rawValue)
            try await dangling(of: "a genre as an author") { try await trial.manager.create(book) }
        }.tests("commit.15", "create.4"),
        Law(.deleteRules, "A store deletes no root that is still referred to, under any delete rule") { trial in
            let (author, genre) = (try Author(trial.id(), "Ada").object, try Genre(trial.id(), "Baking").object)
            var book = Book(trial.id(), "Bread")
            book.author = EntityID(author.id)
            book.genres = [EntityID(genre.id)]
            book.chapters = [Chapter(trial.id(), "Flour", notes: [Note(trial.id(), "x", source: EntityID(genre.id))])]
            let object = try book.object
            try await trial.insert(author, genre, object)
            for (target, columns) in [(author, ["author_id"]), (genre, ["genres", "source_id"])] {
                let found = try await dangling(of: "deleting \(target.reference)") {
                    try await trial.store.commit(ChangeSet(deletes: [target.deletion(expecting: 1)]))
                }
                try expect("the id", found.id, is: target.id)
                try expect(columns.contains(found.column), "the column is \(found.column)")
            }
            try await trial.expectStored(author, genre, object)
            let everything = [author, genre, object].map { $0.deletion(expecting: 1) }
            _ = try await trial.store.commit(ChangeSet(deletes: everything))
            try await trial.expectAbsent(author, genre, object)
        }.tests("commit.24", "dangling.2", "dangling.3"),
        Law(.deleteRules, "A reference and its target can be created, deleted and changed in one commit") { trial in
            let (old, new) = (try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object)
            var book = Book(trial.id(), "Bread")
            book.author = EntityID(old.id)
            let before = try book.object
            try await trial.insert(before, old)
            book.author = EntityID(new.id)
            let changes = ChangeSet(
                inserts: [new], updates: [before.update(to: try book.object, expecting: 1)],
                deletes: [old.deletion(expecting: 1)])
            _ = try await trial.store.commit(changes)
            try await trial.expectStored(new)
            try await trial.expectStored(book.object, version: 2)
            try await trial.expectAbsent(old)
        }.tests("commit.23"),
        Law(.deleteRules, "A reference to a root that the same commit deletes is refused") { trial in
            let author = try Author(trial.id(), "Ada").object
            try await trial.insert(author)
            var book = Book(trial.id(), "Bread")
            book.author = EntityID(author.id)
            let object = try book.object
            try await dangling(of: "a reference to a deleted root") {
                try await trial.store.commit(ChangeSet(inserts: [object], deletes: [author.deletion(expecting: 1)]))
            }
            try await trial.expectStored(author)
            try await trial.expectAbsent(object)
        }.tests("commit.15", "commit.24"),
        Law(.deleteRules, "A reference that is added while a deletion is planned is respected") { trial in
            let genre = Genre(trial.id(), "Baking")
            try await trial.manager.create(genre)
            var book = Book(trial.id(), "Bread")
            book.genres = [genre.id]
            let (newcomer, outer) = (book, trial.manager)
            let (store, manager) = try trial.recording()
            store.beforeNextCommit { _ in try await outer.create(newcomer) }
            try await manager.delete(genre.id)
            try await trial.expectAbsent(genre.id)
            book.genres = []
            try await trial.expectStored(book, version: 2)
        }.tests("delete.2"),
    ]
}
