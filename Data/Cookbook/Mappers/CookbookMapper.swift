public import CookbookDomain
public import LarderData
internal import LarderDomain

/// Stores cookbooks.
public enum CookbookMapper: EntityMapper {
    /// The schema `cookbook`.
    public static let mapping = Mapping<Cookbook>(
        "cookbook", id: \.id,
        [
            .reference("owner_id", \.owner, onDelete: .refuse).owner.indexed,
            .column("name", \.name),
            // Existing databases contain the relationship in this spelling.
            .links("favorites", \.favourites, onDelete: .remove),
            .links("history", \.history, onDelete: .remove),
        ])

    public static func entity(from row: inout ObjectReader) throws -> Cookbook {
        try Cookbook(
            id: row.id(), owner: row.next(), name: row.next(), favourites: row.links(), history: row.links(),
            limits: .stored)
    }
}
