public import CookbookDomain
public import LarderData
internal import LarderDomain

/// Stores users.
public enum UserMapper: EntityMapper {
    /// The schema `user`.
    public static let mapping = Mapping<User>(
        "user", id: \.id,
        [
            .column("email", \.email),
            .derived("folded_email", \.foldedEmail).unique,
            .column("first_name", \.firstName),
            .column("last_name", \.lastName),
            .column("role", \.roleText),
        ])

    public static func entity(from row: inout ObjectReader) throws -> User {
        try User(
            id: row.id(), email: row.next(), firstName: row.next(), lastName: row.next(), role: row.next(),
            limits: .stored)
    }
}

extension Role: ColumnValue {}
