internal import LarderData
internal import LarderDomain

/// A root with all kinds of members that an aggregate can have.
struct Book: Entity {
    let id: EntityID<Book>
    var title: String
    var subtitle: String?
    var pages: Int?
    var price: Double?
    var inPrint = true
    var printed = Timestamp(microseconds: 0)
    var published: CalendarDay?
    /// Cannot be deleted while the book exists.
    var author: EntityID<Author>?
    /// Removed when the target is deleted; may form a cycle with this book.
    var sequel: EntityID<Book>?
    /// Owned, but stored as a root.
    var cover: EntityID<Picture>?
    var chapters: [Chapter] = []
    var genres: [EntityID<Genre>] = []

    init(_ id: EntityID<Book>, _ title: String) {
        self.id = id
        self.title = title
    }
}

enum BookMapper: EntityMapper {
    static let mapping = Mapping<Book>(
        "book", id: \.id,
        [
            .column("title", \.title).indexed, .column("subtitle", \.subtitle).settable,
            .column("pages", \.pages).settable(in: 0...10_000), .column("price", \.price),
            .column("in_print", \.inPrint).settable, .column("printed", \.printed).settable,
            .column("published", \.published).settable,
            .reference("author_id", \.author, onDelete: .refuse).settable,
            .reference("sequel_id", \.sequel, onDelete: .remove),
            .reference("cover_id", \.cover, onDelete: .remove, owned: true).settable,
            .children("chapters", \.chapters, ChapterMapper.self),
            .links("genres", \.genres, onDelete: .remove),
        ])

    static var readModels: [any ReadModelMapper.Type] { [BookLineMapper.self] }

    static func entity(from row: inout ObjectReader) throws -> Book {
        var book = try Book(row.id(), row.next())
        book.subtitle = try row.next()
        book.pages = try row.next()
        book.price = try row.next()
        book.inPrint = try row.next()
        book.printed = try row.next()
        book.published = try row.next()
        book.author = try row.next()
        book.sequel = try row.next()
        book.cover = try row.next()
        book.chapters = try row.children(ChapterMapper.self)
        book.genres = try row.links()
        return book
    }
}
