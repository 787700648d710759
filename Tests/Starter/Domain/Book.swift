public import LarderDomain

/// A book of the library.
public struct Book: Entity {
    /// The id.
    public let id: EntityID<Book>
    /// 1 to 200 characters, not blank.
    public let title: String
    /// The member who has borrowed the book; `nil` while it is in the library.
    public let borrower: EntityID<Member>?

    /// Creates a book.
    ///
    /// - Throws: `InvalidField` naming `title`.
    public init(id: EntityID<Book>, title: String, borrower: EntityID<Member>? = nil) throws(InvalidField) {
        self.title = try FieldCheck(Book.self).text(title, "title", atMost: 200)
        (self.id, self.borrower) = (id, borrower)
    }

    /// The book, lent to a member.
    ///
    /// - Throws: ``AlreadyLent``
    func lent(to member: EntityID<Member>) throws -> Book {
        guard borrower == nil else { throw AlreadyLent(title: title) }
        return try Book(id: id, title: title, borrower: member)
    }
}

/// The error for lending a book that is already lent.
public struct AlreadyLent: Error, Equatable {
    /// The title of the book.
    public let title: String

    /// Names the book.
    public init(title: String) {
        self.title = title
    }
}
