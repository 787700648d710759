import LarderData
import LarderDomain

@testable import LarderStoreContract

/// Objects of the sample schemas and random edits of them, determined by a seed.
struct RandomEdits {
    private var chance: Chance
    private var lastID = 1000
    /// The stored objects, as far as reported.
    private(set) var objects: [StorageObject] = []

    static let tags = 0..<8
    static let covers = 50..<53
    private static let books = 100..<130
    private static let words: [String] = ["", "a", "A", "é", "日本", "long enough to leave the page's first line", "0"]

    init(seed: UInt64) {
        chance = Chance(seed: seed)
        objects = Self.books.map { Sample.book($0, "Book") }
        objects += (0..<10).map { number in
            let values: [Value] = [
                .null, .null, .null, .null, .text("n"), .null, .integer(0), .null, .integer(0),
            ]
            return StorageObject(schema: Sample.shelf, id: Sample.id(200 + number), values: values)
        }
    }

    /// The targets of the edits' references.
    var surroundings: [StorageObject] {
        Self.tags.map { Sample.tag($0, "tag \($0)") }
            + Self.covers.map {
                StorageObject(schema: Sample.cover, id: Sample.id($0), values: [.blob([]), .text("cover \($0)")])
            }
    }

    /// An object as stored and as edited; sometimes equal.
    mutating func next() -> (index: Int, new: StorageObject) {
        let index = Int.random(in: objects.indices, using: &chance)
        var object = objects[index]
        for _ in 0..<Int.random(in: 1...4, using: &chance) {
            if object.schema == Sample.shelf { editShelf(&object) } else { editBook(&object) }
        }
        return (index, object)
    }

    /// Records that an edit was stored.
    mutating func didStore(_ object: StorageObject, at index: Int) {
        objects[index] = object
        objects[index].version += 1
    }

    private mutating func editShelf(_ shelf: inout StorageObject) {
        let column = Int.random(in: shelf.values.indices, using: &chance)
        let integers: [Value] = [.integer(0), .integer(1), .integer(.max), .integer(.min)]
        let choices: [Value] =
            switch shelf.schema.columns[column].type {
            case .integer, .timestamp: integers
            case .boolean: [.integer(0), .integer(1)]
            case .real: [.real(0), .real(-0.0), .real(0.1), .real(1e300), .real(3)]
            case .blob: [.blob([]), .blob([0]), .blob([0, 255])]
            case .day: [.text("2026-11-20"), .text("2026-11-21")]
            default: Self.words.map(Value.text)
            }
        let isMissing = shelf.schema.columns[column].isNullable && chance.happens(oneIn: 4)
        shelf.values[column] = isMissing ? .null : chance.pick(choices)
    }

    private mutating func editBook(_ book: inout StorageObject) {
        switch Int.random(in: 0..<10, using: &chance) {
        case 0: book.values[0] = .text(chance.pick(Self.words))
        case 1: book.values[1] = chance.pick([.null, .integer(1999), .integer(2000)])
        case 2: book.values[2] = chance.pick([.null, .text("code \(book.id.low)"), .text("Code \(book.id.low)")])
        case 3: book.values[3] = chance.happens(oneIn: 3) ? .null : .id(Sample.id(chance.pick(Array(Self.covers))))
        case 4: editLinks(&book.links[0], Self.tags)
        case 5: editLinks(&book.links[1], Self.books)
        default: editPages(&book.children[0])
        }
    }

    private mutating func editLinks(_ links: inout [RawID], _ targets: Range<Int>) {
        let target = Sample.id(chance.pick(Array(targets)))
        switch Int.random(in: 0..<5, using: &chance) {
        case 0: links.append(target)
        case 1 where !links.isEmpty: links[Int.random(in: links.indices, using: &chance)] = target
        case 2 where !links.isEmpty: links.remove(at: Int.random(in: links.indices, using: &chance))
        case 3: links.shuffle(using: &chance)
        default: links.insert(target, at: 0)
        }
        if links.count > 5 { links = Array(links.prefix(2)) }
    }

    private mutating func editPages(_ pages: inout [StorageObject]) {
        if pages.count > 6 { pages.removeFirst(3) }
        guard let index = pages.indices.randomElement(using: &chance) else { return pages.append(page()) }
        switch Int.random(in: 0..<9, using: &chance) {
        case 0: pages.insert(page(), at: index)
        case 1: pages.remove(at: index)
        case 2: pages.shuffle(using: &chance)
        case 3: pages[index].values[0] = .text(chance.pick(Self.words))
        case 4: editLinks(&pages[index].links[0], Self.tags)
        case 5: pages[index].children[0].append(note())
        case 6: pages[index].children[0].shuffle(using: &chance)
        case 7: if !pages[index].children[0].isEmpty { pages[index].children[0][0].values[0] = .text(word) }
        default: moveNote(from: index, in: &pages)
        }
    }

    /// A note moves to another page: its row is deleted and inserted again.
    private mutating func moveNote(from index: Int, in pages: inout [StorageObject]) {
        guard let note = pages[index].children[0].popLast() else { return }
        let target = Int.random(in: pages.indices, using: &chance)
        pages[target].children[0].append(note)
    }

    private var word: String {
        mutating get { chance.pick(Self.words) }
    }

    private mutating func page() -> StorageObject {
        Sample.page(nextID(), word, notes: [note()], tags: [chance.pick(Array(Self.tags))])
    }

    private mutating func note() -> StorageObject { Sample.note(nextID(), word) }

    private mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }
}
