internal import LarderData
internal import LarderDomain

/// A root whose parts go with what they refer to, and own roots themselves.
struct Atlas: Entity {
    let id: EntityID<Atlas>
    /// May not be deleted while the atlas is there.
    var frontispiece: EntityID<Picture>?
    var plates: [Plate] = []

    init(_ id: EntityID<Atlas>, frontispiece: EntityID<Picture>? = nil, plates: [Plate] = []) {
        self.id = id
        self.frontispiece = frontispiece
        self.plates = plates
    }
}

enum AtlasMapper: EntityMapper {
    static let mapping = Mapping<Atlas>(
        "atlas", id: \.id,
        [
            .reference("frontispiece_id", \.frontispiece, to: "picture", onDelete: .refuse),
            .children("plates", \.plates, PlateMapper.self),
        ])

    static func entity(from row: inout ObjectReader) throws -> Atlas {
        try Atlas(row.id(), frontispiece: row.next(), plates: row.children(PlateMapper.self))
    }
}

/// Owned by an atlas.
struct Plate: Entity {
    let id: EntityID<Plate>
    /// The plate goes with it.
    var genre: EntityID<Genre>?
    /// Owned, but a root of its own.
    var picture: EntityID<Picture>?

    init(_ id: EntityID<Plate>, genre: EntityID<Genre>? = nil, picture: EntityID<Picture>? = nil) {
        self.id = id
        self.genre = genre
        self.picture = picture
    }
}

enum PlateMapper: EntityMapper {
    static let mapping = Mapping<Plate>(
        "plate", id: \.id,
        [
            .reference("genre_id", \.genre, to: "genre", onDelete: .cascade),
            .reference("picture_id", \.picture, to: "picture", onDelete: .remove, owned: true),
        ])

    static func entity(from row: inout ObjectReader) throws -> Plate {
        try Plate(row.id(), genre: row.next(), picture: row.next())
    }
}
