public import CookbookDomain
public import LarderData

/// Stores cooking sessions.
public enum CookingSessionMapper: EntityMapper {
    /// The schema `cooking_session`.
    public static let mapping = Mapping<CookingSession>(
        "cooking_session", id: \.id,
        [
            .reference("user_id", \.user, onDelete: .cascade).owner,
            .reference("recipe_id", \.recipe, onDelete: .remove).indexed,
            .column("repetitions", \.repetitions),
            .column("started_at", \.startedAt),
        ], indexed: [["user_id", "started_at"]])

    public static func entity(from row: inout ObjectReader) throws -> CookingSession {
        try CookingSession(
            id: row.id(), user: row.next(), recipe: row.next(), repetitions: row.next(), startedAt: row.next())
    }
}
