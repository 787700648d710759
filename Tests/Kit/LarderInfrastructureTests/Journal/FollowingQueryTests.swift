import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

struct FollowingQueryTests {
    private struct Note: Entity {
        let id: EntityID<Note>
        var text: String
    }

    private enum NoteMapper: EntityMapper {
        static let mapping = Mapping<Note>("note", id: \.id, [.column("text", \.text)])

        static func entity(from row: inout ObjectReader) throws -> Note { try Note(id: row.id(), text: row.next()) }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a live query of a store that only reads follows the commits of one that writes`() async throws {
        let scratch = Scratch()
        let mappers = try MapperSet([NoteMapper.self])
        let writer = try await SQLiteStore.open(.init(.file(scratch.path)), schemas: mappers.schemas)
        let reader = try await SQLiteStore.open(
            .init(.file(scratch.path), access: .readOnly), schemas: mappers.schemas)
        let (writing, reading) = (StoreManager(writer, mappers: mappers), StoreManager(reader, mappers: mappers))
        var pages = try await reading.observe(Query<Note>()).makeAsyncIterator()
        #expect(try await pages.next(isolation: #isolation)?.entities == [])
        var note = Note(id: EntityID(UUIDv7Generator().next()), text: "")
        for number in 0..<20 {
            note.text = "\(number)"
            try await writing.save(note)
            #expect(try await pages.next(isolation: #isolation)?.entities == [note])
        }
        try await writing.delete(note.id)
        #expect(try await pages.next(isolation: #isolation)?.entities == [])
        await reader.close()
        #expect(try await pages.next(isolation: #isolation) == nil)
        await writer.close()
    }
}
