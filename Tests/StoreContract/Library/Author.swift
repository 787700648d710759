internal import LarderDomain
internal import LarderData

/// A flat root with a unique name and an optional unique value.
struct Author: Entity {
    let id: EntityID<Author>
    var name: String
    var email: String?

    init(_ id: EntityID<Author>, _ name: String, email: String? = nil) {
        self.id = id
        self.name = name
        self.email = email
    }
}

enum AuthorMapper: EntityMapper {
    static let mapping = Mapping<Author>(
        "author", id: \.id, [.column("name", \.name).unique, .column("email", \.email).settable.unique])

    static func entity(from row: inout ObjectReader) throws -> Author {
        try Author(row.id(), row.next(), email: row.next())
    }
}
