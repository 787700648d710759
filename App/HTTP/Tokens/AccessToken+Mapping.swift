public import LarderData
internal import LarderDomain

extension AccessToken {
    /// The mapping of tokens to storage, in an app whose tokens belong to entities of one schema. Deleting such an
    /// entity deletes its tokens in the same commit.
    ///
    /// ```swift
    /// enum UserTokenMapper: EntityMapper {
    ///     static let mapping = AccessToken.mapping(subject: "user")
    ///
    ///     static func entity(from row: inout ObjectReader) throws -> AccessToken { try AccessToken(from: &row) }
    /// }
    /// ```
    public static func mapping(subject: String) -> Mapping<AccessToken> {
        Mapping<AccessToken>(
            "access_token", id: \.id,
            [
                .column("digest", \.digest),
                .reference("subject_id", \.subject, to: subject, onDelete: .cascade).owner.indexed,
                .column("label", \.label),
                .column("created_at", \.createdAt),
                .column("expires_at", \.expiresAt).indexed,
                .column("revoked_at", \.revokedAt),
                .column("permissions", \.restriction),
            ])
    }

    /// Reads a token that was stored through ``mapping(subject:)``.
    ///
    /// - Throws: `PersistencyError` from the reader; `InvalidField` if the stored values are not a valid token.
    public init(from row: inout ObjectReader) throws {
        let id = row.id(AccessToken.self)
        try self.init(
            digest: row.next(), subject: row.next(), label: row.next(), createdAt: row.next(), expiresAt: row.next(),
            revokedAt: row.next(), restriction: row.next())
        guard self.id == id else { throw InvalidField(Self.self, "digest", "must begin with the id") }
    }
}
