public import CookbookDomain
public import LarderData
internal import LarderDomain

/// Stores brands. The keywords are the lines of one text, because a keyword is one line and no query uses a single one.
public enum BrandMapper: EntityMapper {
    /// The schema `brand`.
    public static let mapping = Mapping<Brand>(
        "brand", id: \.id,
        [
            .column("name", \.name).folded,
            .column("keywords", \.keywordLines),
            .reference("photo_id", \.photo, onDelete: .remove, owned: true),
            .column("language", \.languageText),
        ], unique: [["language", "name_folded"]], dropped: ["folded_name"])

    public static func entity(from row: inout ObjectReader) throws -> Brand {
        try Brand(
            id: row.id(), name: row.next(), keywords: row.next(String.self).split(separator: "\n").map(String.init),
            photo: row.next(), language: row.next(), limits: .stored)
    }
}

extension Brand {
    fileprivate var keywordLines: String { keywords.joined(separator: "\n") }
}

extension LanguageTag: ColumnValue {}
