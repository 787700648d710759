import LarderData
import LarderDomain

struct Note: Entity {
    let id: EntityID<Note>

    static let ids = UUIDv7Generator()
}

/// The effect of a follower.
struct Echo: Entity {
    let id: EntityID<Echo>
    let note: EntityID<Note>

    init(id: EntityID<Echo> = EntityID(Note.ids.next()), note: EntityID<Note>) { (self.id, self.note) = (id, note) }
}

/// An event of an outbox.
struct NoteTaken: Entity {
    let id: EntityID<NoteTaken>
    let note: EntityID<Note>
}

enum NoteMapper: EntityMapper {
    static let mapping = Mapping<Note>("note", id: \.id, [])

    static func entity(from row: inout ObjectReader) throws -> Note { Note(id: row.id()) }
}

enum EchoMapper: EntityMapper {
    static let mapping = Mapping<Echo>("echo", id: \.id, [.column("note", \.note)])

    static func entity(from row: inout ObjectReader) throws -> Echo { try Echo(id: row.id(), note: row.next()) }
}

enum NoteTakenMapper: EntityMapper {
    static let mapping = Mapping<NoteTaken>("note_taken", id: \.id, [.column("note", \.note)])

    static func entity(from row: inout ObjectReader) throws -> NoteTaken {
        try NoteTaken(id: row.id(), note: row.next())
    }
}

/// The effect of recurring work.
struct Beat: Entity {
    let id: EntityID<Beat>
    let line: String

    init(id: EntityID<Beat> = EntityID(Note.ids.next()), line: String) { (self.id, self.line) = (id, line) }
}

enum BeatMapper: EntityMapper {
    static let mapping = Mapping<Beat>("beat", id: \.id, [.column("line", \.line)])

    static func entity(from row: inout ObjectReader) throws -> Beat { try Beat(id: row.id(), line: row.next()) }
}
