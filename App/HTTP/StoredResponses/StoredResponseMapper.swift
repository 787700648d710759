public import LarderData

/// Bodies contain values of other entities, and a digest confirms a guess of a body. Therefore, both are sealed in a
/// store with sealed columns. The other columns have ids, versions and times.
public enum StoredResponseMapper: EntityMapper {
    public static let mapping = Mapping<StoredResponse>(
        "stored_answer", id: \.id,
        [
            .column("request_digest", \.requestDigest).sealedWithOthers,
            .column("status", \.content.status),
            .column("fields", \.content.fields),
            .column("body", \.content.body).sealedWithOthers,
            .column("created_at", \.createdAt).indexed,
            .column("caller", \.caller),
        ],
        indexed: [["caller", "created_at"]])

    public static func entity(from row: inout ObjectReader) throws -> StoredResponse {
        try StoredResponse(
            id: row.id(), requestDigest: row.next(),
            content: ResponseContent(status: row.next(), fields: row.next(), body: row.next()), createdAt: row.next(),
            caller: row.next())
    }
}
