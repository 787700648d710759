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
            // Not derived: tags of an earlier version have no reserved name, and two of them may differ only in case.
            .column("unique_name", \.reservedName).unique,
        ])

    public static func entity(from row: inout ObjectReader) throws -> Tag {
        try Tag(id: row.id(), storedName: row.next(), reservedName: row.next())
    }
}
