internal import LarderData
internal import LarderDomain

/// Owned by a book; owns notes.
struct Chapter: Entity {
    let id: EntityID<Chapter>
    var title: String
    var minutes: Int?
    var notes: [Note] = []

    init(_ id: EntityID<Chapter>, _ title: String, minutes: Int? = nil, notes: [Note] = []) {
        self.id = id
        self.title = title
        self.minutes = minutes
        self.notes = notes
    }
}

enum ChapterMapper: EntityMapper {
    static let mapping = Mapping<Chapter>(
        "chapter", id: \.id,
        [
            .column("title", \.title), .column("minutes", \.minutes),
            .children("notes", \.notes, NoteMapper.self),
        ])

    static func entity(from row: inout ObjectReader) throws -> Chapter {
        try Chapter(row.id(), row.next(), minutes: row.next(), notes: row.children(NoteMapper.self))
    }
}

/// Owned by a chapter; refers to a root.
struct Note: Entity {
    let id: EntityID<Note>
    var text: String
    /// Removed when the target is deleted.
    var source: EntityID<Genre>?

    init(_ id: EntityID<Note>, _ text: String, source: EntityID<Genre>? = nil) {
        self.id = id
        self.text = text
        self.source = source
    }
}

enum NoteMapper: EntityMapper {
    static let mapping = Mapping<Note>(
        "note", id: \.id,
        [.column("text", \.text), .reference("source_id", \.source, onDelete: .remove)])

    static func entity(from row: inout ObjectReader) throws -> Note {
        try Note(row.id(), row.next(), source: row.next())
    }
}
