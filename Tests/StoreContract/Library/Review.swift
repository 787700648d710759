internal import LarderData
internal import LarderDomain

/// A root that is deleted with its target, and whose deletion deletes its replies.
struct Review: Entity {
    let id: EntityID<Review>
    var stars: Int
    var book: EntityID<Book>
    /// The review that this one replies to.
    var reply: EntityID<Review>?

    init(_ id: EntityID<Review>, _ stars: Int, of book: EntityID<Book>, replyTo reply: EntityID<Review>? = nil) {
        self.id = id
        self.stars = stars
        self.book = book
        self.reply = reply
    }
}

enum ReviewMapper: EntityMapper {
    static let mapping = Mapping<Review>(
        "review", id: \.id,
        [
            .column("stars", \.stars).indexed,
            .reference("book_id", \.book, onDelete: .cascade),
            .reference("reply_id", \.reply, onDelete: .cascade),
        ])

    static func entity(from row: inout ObjectReader) throws -> Review {
        try Review(row.id(), row.next(), of: row.next(), replyTo: row.next())
    }
}
