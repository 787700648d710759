internal import LarderData
internal import LarderDomain

/// A root whose links prevent the deletion of their targets, and with columns that are unique together.
struct Shelf: Entity {
    let id: EntityID<Shelf>
    var room: String
    var label: String?
    var books: [EntityID<Book>]

    init(_ id: EntityID<Shelf>, room: String, label: String? = nil, books: [EntityID<Book>] = []) {
        self.id = id
        self.room = room
        self.label = label
        self.books = books
    }
}

enum ShelfMapper: EntityMapper {
    static let mapping = Mapping<Shelf>(
        "shelf", id: \.id,
        [
            .column("room", \.room).settable, .column("label", \.label).settable,
            .links("books", \.books, onDelete: .refuse),
        ],
        unique: [["room", "label"]])

    static func entity(from row: inout ObjectReader) throws -> Shelf {
        try Shelf(row.id(), room: row.next(), label: row.next(), books: row.links())
    }
}
