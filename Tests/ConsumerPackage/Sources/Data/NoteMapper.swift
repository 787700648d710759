public import Domain
public import LarderData

/// How notes are stored.
public enum NoteMapper: EntityMapper {
    /// One column.
    public static let mapping = Mapping<Note>("note", id: \.id, [.column("text", \.text)])

    /// The note of a row.
    public static func entity(from row: inout ObjectReader) throws -> Note {
        try Note(id: row.id(), text: row.next())
    }
}
