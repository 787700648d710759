internal import LarderDomain

/// The rules of the schemas, written again by hand for each kind, independently of the kit.
extension Item {
    /// The unique values.
    struct UniqueValues: Hashable {
        let columns: [String]
        let values: [String]
    }

    /// The target of a reference from a root or its owned objects.
    struct Outgoing {
        let holder: String
        let column: String
        let target: ItemKey
    }

    var uniques: [UniqueValues] {
        switch self {
        case .author(let author):
            [UniqueValues(columns: ["name"], values: [author.name])]
                + (author.email.map { [UniqueValues(columns: ["email"], values: [$0])] } ?? [])
        case .genre(let genre): [UniqueValues(columns: ["name"], values: [genre.name])]
        case .shelf(let shelf):
            shelf.label.map { [UniqueValues(columns: ["room", "label"], values: [shelf.room, $0])] } ?? []
        case .picture, .book, .review, .counter: []
        }
    }

    /// The unique values by which it is saved; `nil` without one.
    var savingKey: UniqueValues? {
        switch self {
        case .author: uniques.first { $0.columns == ["email"] }
        case .genre: uniques.first
        default: nil
        }
    }

    /// The item with the id of another one of its kind.
    func withID(of key: ItemKey) -> Item {
        switch self {
        case .author(let author): .author(Author(EntityID(key.rawID), author.name, email: author.email))
        case .genre(let genre): .genre(Genre(EntityID(key.rawID), genre.name))
        default: self
        }
    }

    var outgoing: [Outgoing] {
        var found: [Outgoing] = []
        func add<E>(_ holder: String, _ column: String, _ kind: ItemKind, _ id: EntityID<E>?) {
            guard let id else { return }
            found.append(Outgoing(holder: holder, column: column, target: ItemKey(kind, id.rawValue)))
        }
        switch self {
        case .author, .genre, .picture, .counter: break
        case .book(let book):
            add("book", "author_id", .author, book.author)
            add("book", "sequel_id", .book, book.sequel)
            add("book", "cover_id", .picture, book.cover)
            for genre in book.genres { add("book", "genres", .genre, genre) }
            for chapter in book.chapters {
                for note in chapter.notes { add("note", "source_id", .genre, note.source) }
            }
        case .review(let review):
            add("review", "book_id", .book, review.book)
            add("review", "reply_id", .review, review.reply)
        case .shelf(let shelf):
            for book in shelf.books { add("shelf", "books", .book, book) }
        }
        return found
    }

    /// The objects owned within the root; their ids must be distinct.
    var parts: [EntityReference] {
        guard case .book(let book) = self else { return [] }
        return book.chapters.flatMap { chapter in
            [EntityReference(chapter.id)] + chapter.notes.map { EntityReference($0.id) }
        }
    }

    /// The owned roots, which are deleted with it.
    var ownedRoots: [ItemKey] {
        guard case .book(let book) = self, let cover = book.cover else { return [] }
        return [ItemKey(.picture, cover.rawValue)]
    }

    /// The column whose delete rule refuses the deletion of a target of this root.
    func refusingColumn(deleting target: ItemKey) -> String? {
        let refusing: [String]
        switch self {
        case .book: refusing = ["author_id"]
        case .shelf: refusing = ["books"]
        case .author, .genre, .picture, .review, .counter: return nil
        }
        return outgoing.first { $0.target == target && refusing.contains($0.column) }?.column
    }

    /// The item after the deletion of a target; `nil` if the item is deleted too.
    func without(_ target: ItemKey) -> Item? {
        guard outgoing.contains(where: { $0.target == target }) else { return self }
        guard case .book(var book) = self else { return nil }
        switch target.kind {
        case .book: book.sequel = nil
        case .picture: book.cover = nil
        case .genre:
            book.genres.removeAll { $0.rawValue == target.rawID }
            for chapter in book.chapters.indices {
                for note in book.chapters[chapter].notes.indices
                where book.chapters[chapter].notes[note].source?.rawValue == target.rawID {
                    book.chapters[chapter].notes[note].source = nil
                }
            }
        case .author, .review, .shelf, .counter: break
        }
        return .book(book)
    }

    /// The field with an invalid value.
    var refusedField: String? {
        if case .author(let author) = self, author.name.unicodeScalars.contains("\0") { "name" } else { nil }
    }
}
