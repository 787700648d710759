public import CookbookDomain
public import LarderData

/// Stores photos.
public enum PhotoMapper: EntityMapper {
    /// The schema `photo`.
    public static let mapping = Mapping<Photo>(
        "photo", id: \.id,
        [
            .column("media_type", \.mediaType),
            .column("digest", \.digest),
            .column("bytes", \.bytes),
        ])

    public static func entity(from row: inout ObjectReader) throws -> Photo {
        try Photo(id: row.id(), mediaType: row.next(), digest: row.next(), bytes: row.next())
    }
}

extension MediaType: ColumnValue {}
