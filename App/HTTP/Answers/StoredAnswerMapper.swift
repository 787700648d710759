public import LarderData

/// Bodies contain values of other entities, and a digest confirms a guess of a body. Therefore, both are sealed in a
/// store with sealed columns. The other columns have ids, versions and times.
public enum StoredAnswerMapper: EntityMapper {
    public static let mapping = Mapping<StoredAnswer>(
        "stored_answer", id: \.id,
        [
            .column("request_digest", \.requestDigest).sealedWithOthers,
            .column("status", \.answer.status),
            .column("fields", \.answer.fields),
            .column("body", \.answer.body).sealedWithOthers,
            .column("created_at", \.createdAt).indexed,
            .column("caller", \.caller),
        ],
        indexed: [["caller", "created_at"]])

    public static func entity(from row: inout ObjectReader) throws -> StoredAnswer {
        try StoredAnswer(
            id: row.id(), requestDigest: row.next(),
            answer: Answer(status: row.next(), fields: row.next(), body: row.next()), createdAt: row.next(),
            caller: row.next())
    }
}
