import LarderDomain
import Testing

@testable import LarderData

struct SearchTermsTests {
    private struct Note: Entity {
        let id: EntityID<Note>
        var title = ""
        var lines: [String] = []
        var text: String { lines.joined(separator: "\n") }
    }

    private enum NoteMapper: EntityMapper {
        static let mapping = Mapping<Note>(
            "note", id: \.id,
            [
                .search("words", [SearchField(weight: 5) { [$0.title] }, SearchField(weight: 0) { $0.lines }]),
                .column("title", \.title), .column("lines", \.text),
            ])

        static func entity(from row: inout ObjectReader) throws -> Note {
            let note = try Note(id: row.id(), title: row.next())
            let text = try row.next(String.self)
            return Note(id: note.id, title: note.title, lines: text.split(separator: "\n").map(String.init))
        }
    }

    private func terms(_ note: Note) throws -> [StorageObject] {
        try NoteMapper.storageObject(from: note).children[0]
    }

    private let id = EntityID<Note>(RawID(high: 1, low: 2))

    @Test func `each distinct word is a row, with the weights of its fields, in byte order`() throws {
        let found = try terms(Note(id: id, title: "Salt, salt Éclair", lines: ["salt", "a zest", "SALT"]))
        #expect(
            found.map(\.values) == [
                [.text("a"), .integer(1)], [.text("eclair"), .integer(5)], [.text("salt"), .integer(6)],
                [.text("zest"), .integer(1)],
            ])
        #expect(found.allSatisfy { $0.schema.name == "note_words" && $0.schema.isDerived })
        #expect(try terms(Note(id: id)).isEmpty)
    }

    @Test func `the ids depend only on the entity's id and the words`() throws {
        let note = Note(id: id, title: "one two three", lines: ["four"])
        let found = try terms(note)
        #expect(try terms(note) == found)
        let ids = try terms(Note(id: id, title: "three five"))
        #expect(ids.first { $0.values[0] == .text("three") }?.id == found.first { $0.values[0] == .text("three") }?.id)
        let others = try terms(Note(id: EntityID(RawID(high: 2, low: 1)), title: "one two three", lines: ["four"]))
        #expect(Set(found.map(\.id)).isDisjoint(with: others.map(\.id)))
    }

    @Test func `a change of words names only these`() throws {
        let (old, new) = (
            try NoteMapper.storageObject(from: Note(id: id, title: "b d e")),
            try NoteMapper.storageObject(from: Note(id: id, title: "a d", lines: ["e"]))
        )
        let changes = ObjectChanges(from: old, to: new)
        #expect(changes.columns.count == 2 && changes.children.count == 3)
        #expect(old.applying(changes) == new)
        #expect(ObjectChanges(from: new, to: new).isEmpty)
    }

    @Test func `an entity has at most a thousand words, those of the first fields`() throws {
        let found = try terms(
            Note(id: id, title: (0..<998).map { "w\($0)" }.joined(separator: " "), lines: ["w1 x y z"]))
        #expect(found.count == 1_000)
        let words = Set(found.map { $0.values[0] })
        #expect(words.isSuperset(of: [.text("w0"), .text("w997"), .text("x"), .text("y")]))
        #expect(found.first { $0.values[0] == .text("w1") }?.values[1] == .integer(6))
        #expect(Set(found.map(\.id)).count == 1_000)
    }

    @Test func `a reader does not read them`() throws {
        let note = Note(id: id, title: "a b")
        #expect(try NoteMapper.stored(from: NoteMapper.storageObject(from: note)).entity.title == "a b")
        #expect(NoteMapper.schema.children.count == 1 && !NoteMapper.schema.isFlat)
    }

    private func reason(_ query: Query<Note>) -> String? {
        do {
            _ = try ReadRequest(query, NoteMapper.mapping)
            return nil
        } catch .unsupportedQuery(let reason) {
            return reason
        } catch {
            return "another error: \(error)"
        }
    }

    @Test func `a search without a word, with too many, or with a sort is refused`() throws {
        #expect(reason(Query(search: " — *")) == "a search without a word")
        let many = (0..<17).map { "w\($0)" }.joined(separator: " ")
        #expect(reason(Query(search: many)) == "a search for more than 16 words")
        #expect(reason(Query(search: many + "0")) != nil)
        #expect(reason(Query(search: String(repeating: "w ", count: 1_000))) == nil)
        #expect(reason(Query(search: "w", sort: [Sort(\.title)])) == "a sort of a search, which is sorted by rank")
    }

    @Test func `an entity without searched texts is refused`() {
        #expect(throws: PersistencyError.self) { try ReadRequest(Query<Shelf>(search: "a"), ShelfMapper.mapping) }
    }

    @Test func `a search is a conjunction over the words and an order by their weights`() throws {
        let request = try ReadRequest(Query<Note>(search: "Salt ze* salt"), NoteMapper.mapping)
        #expect("\(request.condition)" == "and[(@0 any (#0 = 'salt')), (@0 any (#0 begins 'ze'))]")
        let terms = request.order.map { "\($0.operand) \($0.isDescending)" }
        #expect(terms == ["(@0 sum #1 or[(#0 in ['salt']), (#0 begins 'ze')]) true"])
    }
}
