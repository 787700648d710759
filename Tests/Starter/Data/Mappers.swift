public import LarderData
public import LoansDomain

/// Stores books.
public enum BookMapper: EntityMapper {
    public static let mapping = Mapping<Book>(
        "book", id: \.id,
        [.column("title", \.title).indexed, .reference("borrower_id", \.borrower, to: "member", onDelete: .refuse)])

    public static func entity(from row: inout ObjectReader) throws -> Book {
        try Book(id: row.id(), title: row.next(), borrower: row.next())
    }
}

/// Stores members.
public enum MemberMapper: EntityMapper {
    public static let mapping = Mapping<Member>(
        "member", id: \.id, [.column("name", \.name).unique, .column("is_librarian", \.isLibrarian)])

    public static func entity(from row: inout ObjectReader) throws -> Member {
        try Member(id: row.id(), name: row.next(), isLibrarian: row.next())
    }
}
