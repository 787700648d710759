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

    private func words(_ note: Note) throws -> String {
        let objects = try NoteMapper.storageObject(from: note).children[0]
        try #require(objects.count == 1 && objects[0].id == note.id.rawValue)
        return WordText(objects[0].values[0]).text
    }

    private let id = EntityID<Note>(RawID(high: 1, low: 2))

    @Test func `each distinct word is an entry, with the weights of its fields, in byte order`() throws {
        let note = Note(id: id, title: "Salt, salt Éclair", lines: ["salt", "a zest", "SALT"])
        #expect(try words(note) == " a:1 eclair:5 salt:6 zest:1")
        #expect(try words(Note(id: id)).isEmpty)
        #expect(NoteMapper.schema.children[0].schema.name == "note_words" && NoteMapper.schema.searchList == 0)
    }

    @Test func `a change of words replaces the text`() throws {
        let (old, new) = (
            try NoteMapper.storageObject(from: Note(id: id, title: "b d e")),
            try NoteMapper.storageObject(from: Note(id: id, title: "a d", lines: ["e"]))
        )
        let changes = ObjectChanges(from: old, to: new)
        #expect(changes.columns.count == 2 && changes.children.count == 1)
        #expect(old.applying(changes) == new)
        #expect(ObjectChanges(from: new, to: new).isEmpty)
    }

    @Test func `an entity has at most a thousand words, those of the first fields`() throws {
        let title = (0..<998).map { "w\($0)" }.joined(separator: " ")
        let found = WordText(.text(try words(Note(id: id, title: title, lines: ["w1 x y z"]))))
        #expect(found.words.count == 1_000)
        #expect(Set(found.words).isSuperset(of: ["w0", "w997", "x", "y"]))
        #expect(found.text.contains(" w1:6 "))
    }

    @Test func `a rank adds the weights of all words that begin so, each once`() {
        let words = WordText(["onion": 8, "onions": 4, "soup": 1, "日": 2, "8": 16])
        #expect(words.text == " 8:16 onion:8 onions:4 soup:1 日:2")
        #expect(words.rank(of: [" onion:"]) == 8 && words.rank(of: [" onion"]) == 12)
        #expect(words.rank(of: [" onion", " onion:", " soup:", " 日:"]) == 15)
        #expect(words.rank(of: [" 8:"]) == 16 && words.rank(of: []) == 0 && words.rank(of: [" nion"]) == 0)
        #expect(WordText(["a": 20_000]).text == " a:16383")
        #expect(WordText(.null).words.isEmpty && WordText(.text("no entries")).rank(of: [" no"]) == 0)
        #expect(
            WordText(.text("no colon")).rank(of: [" co"]) == 0 && WordText(.text(" a")).rank(of: [" a", " b"]) == 0)
    }

    @Test func `ranks and differences of random texts are those of dictionaries`() {
        func weights() -> [String: Int64] {
            var weights: [String: Int64] = [:]
            for _ in 0..<Int.random(in: 0...30) {
                let letters = (0...Int.random(in: 0...3)).map { _ in "a1é日".randomElement()! }
                weights[String(letters)] = .random(in: 0...120)
            }
            return weights
        }
        for _ in 0..<300 {
            let (stored, others) = (weights(), weights())
            let text = WordText(stored)
            let starts = weights().keys.map { Bool.random() ? WordText.start(of: $0) : " " + $0 }
            let rank = stored.filter { entry in starts.contains { " \(entry.key):".hasPrefix($0) } }.values.reduce(0, +)
            #expect(text.rank(of: starts) == rank, "\(text.text) by \(starts)")
            let new = Set(stored.keys).subtracting(others.keys).sorted().map { " " + $0 }.joined()
            #expect(text.words(notIn: WordText(others)) == new, "\(text.text) without \(others.keys)")
        }
    }

    @Test func `the start of an entry is a space and letters or digits`() {
        #expect(WordText.Start(" onion:")?.word == "onion" && WordText.Start(" onion:")?.isWhole == true)
        #expect(WordText.Start(" crè")?.word == "crè" && WordText.Start(" crè")?.isWhole == false)
        for part in ["", " ", "onion:", " onion soup", " on:ion", " Onion", " on-", " :", "  a"] {
            #expect(WordText.Start(part) == nil, "\(part)")
        }
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
        #expect("\(request.condition)" == "and[(@0 any (#0 contains ' salt:')), (@0 any (#0 contains ' ze'))]")
        let terms = request.order.map { "\($0.operand) \($0.isDescending)" }
        #expect(terms == ["(@0 rank [' salt:', ' ze']) true"])
    }
}
