internal import LarderData
internal import LarderDomain

enum DeleteRuleLaws {
    static let all: [Law] = [
        Law(.deleteRules, "A target under the rule refuse cannot be deleted, and the error names the referring root") {
            trial in
            let author = Author(trial.id(), "Ada")
            var book = Book(trial.id(), "Bread")
            book.author = author.id
            try await trial.manager.create(author)
            try await trial.manager.create(book)
            let found = try await refusal(of: "deleting the author") { try await trial.manager.delete(author.id) }
            let expected = Refusal(
                target: EntityReference(author.id), entity: "book", column: "author_id", example: book.id.rawValue)
            try expect("the refusal", found, is: expected)
            try await trial.expectStored(author, version: 1)
            try await trial.expectStored(book, version: 1)
            try await trial.manager.delete(book.id)
            try await trial.manager.delete(author.id)
            try await trial.expectAbsent(author.id)
        }.tests("delete.6", "error.6", "refusal.1", "refusal.2", "refusal.3"),
        Law(.deleteRules, "A link under the rule refuse protects its target") { trial in
            let book = Book(trial.id(), "Bread")
            try await trial.manager.create(book)
            var shelf = Shelf(trial.id(), room: "kitchen", books: [book.id])
            try await trial.manager.create(shelf)
            try await refusal(of: "deleting the book") { try await trial.manager.delete(book.id) }
            shelf.books = []
            try await trial.manager.save(shelf)
            try await trial.manager.delete(book.id)
            try await trial.expectAbsent(book.id)
        }.tests("delete.6"),
        Law(.deleteRules, "A reference under the rule remove becomes nil, which changes its holder") { trial in
            let sequel = Book(trial.id(), "Cake")
            var book = Book(trial.id(), "Bread")
            book.sequel = sequel.id
            try await trial.manager.create(sequel)
            try await trial.manager.create(book)
            try await trial.manager.delete(sequel.id)
            book.sequel = nil
            try await trial.expectStored(book, version: 2)
        }.tests("delete.2"),
        Law(.deleteRules, "A link under the rule remove is removed from its list, and the others keep their order") {
            trial in
            let genres = (0..<3).map { Genre(trial.id(), "Genre \($0)") }
            for genre in genres { try await trial.manager.create(genre) }
            var (one, other) = (Book(trial.id(), "Bread"), Book(trial.id(), "Cake"))
            (one.genres, other.genres) = ([genres[2].id, genres[1].id, genres[0].id], [genres[0].id])
            try await trial.manager.create(one)
            try await trial.manager.create(other)
            try await trial.manager.delete(genres[1].id)
            one.genres.remove(at: 1)
            try await trial.expectStored(one, version: 2)
            try await trial.expectStored(other, version: 1)
        }.tests("delete.2"),
        Law(.deleteRules, "A reference of a nested owned object becomes nil, and the root is changed") { trial in
            var book = try await trial.richBook()
            try await trial.manager.create(book)
            try await trial.manager.delete(book.genres[0])
            book.genres = []
            book.chapters[0].notes[0].source = nil
            try await trial.expectStored(book, version: 2)
        }.tests("delete.2"),
        Law(
            .deleteRules,
            "The rule cascade deletes the referring roots, in turn those that refer to them, and no others"
        ) { trial in
            let (book, other) = (Book(trial.id(), "Bread"), Book(trial.id(), "Cake"))
            let first = Review(trial.id(), 5, of: book.id)
            let reply = Review(trial.id(), 1, of: other.id, replyTo: first.id)
            let replyToReply = Review(trial.id(), 2, of: other.id, replyTo: reply.id)
            let untouched = Review(trial.id(), 3, of: other.id)
            for book in [book, other] { try await trial.manager.create(book) }
            for review in [first, reply, replyToReply, untouched] { try await trial.manager.create(review) }
            try await trial.manager.delete(book.id)
            for review in [first, reply, replyToReply] { try await trial.expectAbsent(review.id) }
            try await trial.expectStored(untouched, version: 1)
            try await trial.expectStored(other, version: 1)
        }.tests("delete.2"),
        Law(.deleteRules, "A cascade along a cycle of references ends") { trial in
            let book = Book(trial.id(), "Bread")
            let ids = trial.ids(3, Review.self)
            try await trial.manager.transaction { manager in
                try await manager.create(book)
                for (index, id) in ids.enumerated() {
                    try await manager.create(Review(id, index, of: book.id, replyTo: ids[(index + 1) % 3]))
                }
            }
            try await trial.manager.delete(ids[1])
            try await trial.expectCount(0, of: Review.self)
            try await trial.expectStored(book, version: 1)
        }.tests("delete.2"),
        Law(.deleteRules, "A refusal anywhere in a deletion changes nothing") { trial in
            let (book, genre) = (Book(trial.id(), "Bread"), Genre(trial.id(), "Baking"))
            let review = Review(trial.id(), 5, of: book.id)
            var sequel = Book(trial.id(), "Bread again")
            (sequel.sequel, sequel.genres) = (book.id, [genre.id])
            try await trial.manager.create(genre)
            for book in [book, sequel] { try await trial.manager.create(book) }
            try await trial.manager.create(review)
            try await trial.manager.create(Shelf(trial.id(), room: "kitchen", books: [book.id]))
            try await refusal(of: "deleting the book") { try await trial.manager.delete(book.id) }
            try await trial.expectStored(book, version: 1)
            try await trial.expectStored(sequel, version: 1)
            try await trial.expectStored(review, version: 1)
        }.tests("delete.6", "error.1"),
        Law(.deleteRules, "A root that protects a target can be deleted before it in the same transaction") { trial in
            let book = Book(trial.id(), "Bread")
            let shelf = Shelf(trial.id(), room: "kitchen", books: [book.id])
            try await trial.manager.create(book)
            try await trial.manager.create(shelf)
            try await trial.manager.transaction { manager in
                try await manager.delete(shelf.id)
                try await manager.delete(book.id)
            }
            try await trial.expectAbsent(shelf.id)
            try await trial.expectAbsent(book.id)
        }.tests("delete.2", "transaction.3"),
    ]
}
