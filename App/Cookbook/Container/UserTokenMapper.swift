internal import LarderData
internal import LarderHTTP

/// Stores the tokens of users, which go with their users.
enum UserTokenMapper: EntityMapper {
    /// The schema `access_token`.
    static let mapping = AccessToken.mapping(subject: "user")

    static func entity(from row: inout ObjectReader) throws -> AccessToken { try AccessToken(from: &row) }
}
