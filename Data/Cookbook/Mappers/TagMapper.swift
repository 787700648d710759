public import CookbookDomain
public import LarderData

/// Stores tags.
public enum TagMapper: EntityMapper {
    /// The schema `tag`.
    public static let mapping = Mapping<Tag>(
        "tag", id: \.id,
        [
            .column("name", \.name).unique,
            .derived("folded_name", \.foldedName).indexed,
        ])

    public static func entity(from row: inout ObjectReader) throws -> Tag {
        try Tag(id: row.id(), name: row.next(), limits: .stored)
    }
}
