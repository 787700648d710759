internal import LarderData
internal import LarderDomain

/// A root whose parts are deleted with the objects that they refer to. The parts own roots.
struct Atlas: Entity {
    let id: EntityID<Atlas>
    /// Cannot be deleted while the atlas exists.
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
            .reference("frontispiece_id", \.frontispiece, onDelete: .refuse),
            .children("plates", \.plates, PlateMapper.self),
        ])

    static func entity(from row: inout ObjectReader) throws -> Atlas {
        try Atlas(row.id(), frontispiece: row.next(), plates: row.children(PlateMapper.self))
    }
}

/// Owned by an atlas.
struct Plate: Entity {
    let id: EntityID<Plate>
    /// A deletion of the genre deletes the plate.
    var genre: EntityID<Genre>?
    /// Owned, but stored as a root.
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
            .reference("genre_id", \.genre, onDelete: .cascade),
            .reference("picture_id", \.picture, onDelete: .remove, owned: true),
        ])

    static func entity(from row: inout ObjectReader) throws -> Plate {
        try Plate(row.id(), genre: row.next(), picture: row.next())
    }
}
