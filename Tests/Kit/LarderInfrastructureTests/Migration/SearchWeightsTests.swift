import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

private struct Note: Entity {
    let id: EntityID<Note>
    var title: String
    var text: String
}

private protocol NoteMapper: EntityMapper where Model == Note {}

extension NoteMapper {
    static func weighted(title: Int, text: Int) -> Mapping<Note> {
        Mapping(
            "note", id: \.id,
            [
                .search(
                    "words", [SearchField(weight: title) { [$0.title] }, SearchField(weight: text) { [$0.text] }]),
                .column("title", \.title), .column("text", \.text),
            ])
    }

    static func entity(from row: inout ObjectReader) throws -> Note {
        try Note(id: row.id(), title: row.next(), text: row.next())
    }
}

private enum ByTitle: NoteMapper { static let mapping: Mapping<Note> = weighted(title: 5, text: 1) }
private enum ByText: NoteMapper { static let mapping: Mapping<Note> = weighted(title: 1, text: 5) }

/// The words of a search depend on the weights of its fields, which a later program may change.
struct SearchWeightsTests {
    @Test func `with other weights, the words are computed again by a migration`() async throws {
        let scratch = Scratch()
        let (byTitle, byText) = (try MapperSet([ByTitle.self]), try MapperSet([ByText.self]))
        let notes = [
            Note(id: EntityID(Sample.id(1)), title: "rain", text: "snow"),
            Note(id: EntityID(Sample.id(2)), title: "snow", text: "rain"),
        ]
        let store = try await scratch.open(schemas: byTitle.schemas)
        for note in notes { try await StoreManager(store, mappers: byTitle).create(note) }
        #expect(try await found("rain", store, byTitle) == notes.map(\.id))
        await store.close()

        await #expect(throws: PersistencyError.self) {
            try await MigrationBench.open(scratch.path, byText.schemas, .init())
        }
        let migrated = try await MigrationBench.open(scratch.path, byText.schemas)
        #expect(try await found("rain", migrated, byText) == notes.reversed().map(\.id))
        await migrated.close()

        await #expect(throws: PersistencyError.self) {
            try await MigrationBench.open(scratch.path, byTitle.schemas, .init())
        }
    }

    private func found(_ words: String, _ store: any Store, _ mappers: MapperSet) async throws -> [EntityID<Note>] {
        try await StoreManager(store, mappers: mappers).read(Query<Note>(search: words)).entities.map(\.id)
    }
}
