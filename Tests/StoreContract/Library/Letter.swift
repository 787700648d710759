internal import LarderData
internal import LarderDomain

/// A root with searched texts, in columns and in owned objects.
struct Letter: Entity {
    let id: EntityID<Letter>
    var subject: String
    var body: String
    var genre: EntityID<Genre>?
    var sheets: [Sheet] = []

    init(_ id: EntityID<Letter>, subject: String = "", body: String = "", sheets: [Sheet] = []) {
        (self.id, self.subject, self.body, self.sheets) = (id, subject, body, sheets)
    }
}

/// An object that a letter owns.
struct Sheet: Entity {
    let id: EntityID<Sheet>
    var text: String
}

enum LetterMapper: EntityMapper {
    static let mapping = Mapping<Letter>(
        "letter", id: \.id,
        [
            .search(
                "words",
                [
                    SearchField(weight: 8) { [$0.subject] }, SearchField(weight: 3) { $0.sheets.map(\.text) },
                    SearchField(weight: 1) { [$0.body] },
                ]),
            .column("subject", \.subject), .column("body", \.body),
            .reference("genre_id", \.genre, onDelete: .remove),
            .children("sheets", \.sheets, SheetMapper.self),
        ])

    static var readModels: [any ReadModelMapper.Type] { [LetterLineMapper.self] }

    static func entity(from row: inout ObjectReader) throws -> Letter {
        var letter = try Letter(row.id(), subject: row.next(), body: row.next())
        letter.genre = try row.next()
        letter.sheets = try row.children(SheetMapper.self)
        return letter
    }
}

enum SheetMapper: EntityMapper {
    static let mapping = Mapping<Sheet>("sheet", id: \.id, [.column("text", \.text)])

    static func entity(from row: inout ObjectReader) throws -> Sheet {
        try Sheet(id: row.id(), text: row.next())
    }
}
