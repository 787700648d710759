public import LarderData
import LarderDomain
public import LoansDomain

/// Stores users.
public enum UserMapper: EntityMapper {
    public static let mapping = Mapping<User>(
        "user", id: \.id,
        [
            .column("name", \.name).unique,
            .column("is_operator", \.isOperator),
        ])

    public static func entity(from row: inout ObjectReader) throws -> User {
        try User(id: row.id(), name: row.next(), isOperator: row.next(), limits: .stored)
    }
}
