import LarderData
import LarderDomain

/// An entity that tests follow.
struct Note: Entity {
    let id: EntityID<Note>
    var text: String

    init(_ number: Int, _ text: String = "") {
        (id, self.text) = (EntityID(RawID(high: 1, low: UInt64(number))), text)
    }
}

/// The effect of a handler: one for each handled change of a note.
struct Echo: Entity {
    let id: EntityID<Echo>
    let note: EntityID<Note>
    let version: Int64

    static let ids = UUIDv7Generator()

    init(of entry: CommittedChange) {
        (id, note, version) = (EntityID(Self.ids.next()), EntityID(entry.reference.id), entry.version)
    }

    /// The effect of a tick.
    init(at tick: Timestamp) {
        (id, note, version) = (EntityID(Self.ids.next()), Note(0).id, tick.microseconds / 60_000_000)
    }

    init(from row: inout ObjectReader) throws(PersistencyError) {
        (id, note, version) = (row.id(), try row.next(), try row.next())
    }

    /// The note's id and version.
    var key: String { "\(note.rawValue.low)@\(version)" }
}

/// An event that a use case records.
struct NoteTaken: Entity {
    static let ids = UUIDv7Generator()

    let id: EntityID<NoteTaken>
    let note: EntityID<Note>
    let text: String

    init(_ note: Note, _ text: String) { (id, self.note, self.text) = (EntityID(Self.ids.next()), note.id, text) }

    init(from row: inout ObjectReader) throws(PersistencyError) {
        (id, note, text) = (row.id(), try row.next(), try row.next())
    }
}

/// An event of another type.
struct NoteLost: Entity {
    let id: EntityID<NoteLost>
}

enum NoteTakenMapper: EntityMapper {
    // Not a reference: the note may be deleted before the event is delivered.
    static let mapping = Mapping<NoteTaken>("note_taken", id: \.id, [.column("note", \.note), .column("text", \.text)])

    static func entity(from row: inout ObjectReader) throws -> NoteTaken { try NoteTaken(from: &row) }
}

enum NoteLostMapper: EntityMapper {
    static let mapping = Mapping<NoteLost>("note_lost", id: \.id, [])

    static func entity(from row: inout ObjectReader) throws -> NoteLost { NoteLost(id: row.id()) }
}

enum NoteMapper: EntityMapper {
    static let mapping = Mapping<Note>("note", id: \.id, [.column("text", \.text)])

    static func entity(from row: inout ObjectReader) throws -> Note {
        let id = row.id(Note.self)
        return Note(Int(id.rawValue.low), try row.next())
    }
}

enum EchoMapper: EntityMapper {
    // Not a reference: echoes of deleted notes remain.
    static let mapping = Mapping<Echo>(
        "echo", id: \.id, [.column("note", \.note), .column("note_version", \.version)])

    static func entity(from row: inout ObjectReader) throws -> Echo { try Echo(from: &row) }
}
