public import CookbookDomain
public import LarderData
internal import LarderDomain

/// Stores tags.
public enum TagMapper: EntityMapper {
    /// The schema `tag`.
    public static let mapping = Mapping<Tag>(
        "tag", id: \.id,
        [.column("name", \.name).folded.unique], dropped: ["folded_name", "unique_name"])

    public static func entity(from row: inout ObjectReader) throws -> Tag {
        try Tag(id: row.id(), name: row.next(), limits: .stored)
    }
}
