public import LarderDomain

/// An entity of a stranger's own.
public struct Note: Entity {
    /// Its id.
    public let id: EntityID<Note>
    /// What it says.
    public var text: String

    /// Writes a note.
    ///
    /// - Throws: for an empty text.
    public init(id: EntityID<Note>, text: String) throws(InvalidField) {
        guard !text.isEmpty else { throw InvalidField(Note.self, "text", "must not be empty") }
        self.id = id
        self.text = text
    }
}
