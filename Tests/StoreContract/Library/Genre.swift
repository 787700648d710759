internal import LarderData
internal import LarderDomain

/// A root that others link to, with a derived column.
struct Genre: Entity {
    let id: EntityID<Genre>
    var name: String
    var foldedName: String { name.lowercased() }

    init(_ id: EntityID<Genre>, _ name: String) {
        self.id = id
        self.name = name
    }
}

enum GenreMapper: EntityMapper {
    static let mapping = Mapping<Genre>(
        "genre", id: \.id, [.column("name", \.name).unique, .derived("folded_name", \.foldedName)])

    static func entity(from row: inout ObjectReader) throws -> Genre {
        try Genre(row.id(), row.next())
    }
}
