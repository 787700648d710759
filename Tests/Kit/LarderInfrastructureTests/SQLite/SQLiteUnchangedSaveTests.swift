import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

/// The result of a save that writes nothing.
@Suite struct SQLiteUnchangedSaveTests {
    private struct Note: Entity {
        let id: EntityID<Note>
        var text: String
        var lines: [Line] = []
        /// Not stored.
        var isSelected = false
    }

    private struct Line: Entity {
        let id: EntityID<Line>
        var text: String
    }

    private enum NoteMapper: EntityMapper {
        static let mapping = Mapping<Note>(
            "note", id: \.id, [.column("text", \.text), .children("lines", \.lines, LineMapper.self)])

        static func entity(from row: inout ObjectReader) throws -> Note {
            Note(id: row.id(), text: try row.next(), lines: try row.children(LineMapper.self))
        }
    }

    private enum LineMapper: EntityMapper {
        static let mapping = Mapping<Line>("line", id: \.id, [.column("text", \.text)])

        static func entity(from row: inout ObjectReader) throws -> Line { Line(id: row.id(), text: try row.next()) }
    }

    @Test func `properties that are not stored have the values of a read`() async throws {
        let mappers = try MapperSet([NoteMapper.self])
        let manager = StoreManager(
            try await SQLiteStore.open(.init(.memory), schemas: mappers.schemas), mappers: mappers)
        var note = Note(
            id: EntityID(RawID(high: 1, low: 1)), text: "text",
            lines: [Line(id: EntityID(RawID(high: 2, low: 1)), text: "line")])
        try await manager.create(note)
        let stored = Stored(note, version: 1)
        note.isSelected = true
        #expect(try await manager.save(note) == Saved(.unchanged, stored))
        #expect(try await manager.update(note, expecting: 1) == Saved(.unchanged, stored))
        note.lines[0].text = "another"
        let saved = try await manager.save(note)
        #expect(saved.outcome == .updated && !saved.stored.entity.isSelected)
        #expect(try await manager.read(note.id) == saved.stored)
    }
}
