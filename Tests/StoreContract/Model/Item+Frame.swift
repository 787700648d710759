internal import LarderDomain

extension Item {
    private static let names = ["Ada", "Bea", "Cleo", "Äda", "Ada\u{0}", ""]
    private static let emails: [String?] = [nil, "a@example.org", "b@example.org", nil]
    private static let titles = ["Bread", "bread", "Éclair", "日本", "🥐", "", "a\r\nb"]
    private static let pages: [Int?] = [nil, 0, 99, 100, .max, .min, -1]
    private static let prices: [Double?] = [nil, 0, -0.5, 0.1, 1e300]
    private static let minutes: [Int?] = [nil, 0, 5, 10]

    /// The item that a frame describes.
    init(_ key: ItemKey, from frame: Frame) {
        switch key.kind {
        case .author:
            // U+0000 is rejected, and would be too frequent.
            let name = frame[3] < 250 ? frame.pick(3, Array(Self.names.prefix(4))) : frame.pick(3, Self.names)
            self = .author(Author(EntityID(key.rawID), name, email: frame.pick(4, Self.emails)))
        case .genre: self = .genre(Genre(EntityID(key.rawID), frame.pick(3, ["crime", "verse", "Verse", "maps"])))
        case .picture:
            self = .picture(Picture(EntityID(key.rawID), [UInt8](repeating: frame[4], count: Int(frame[3] % 3))))
        case .book: self = .book(Book(key, from: frame))
        case .review:
            let book = EntityID<Book>(ItemKey(.book, frame[4]).rawID)
            self = .review(
                Review(EntityID(key.rawID), Int(frame[3] % 5), of: book, replyTo: reference(.review, frame[5], odds: 2))
            )
        case .shelf:
            let books = (0..<(frame[5] & 3)).map { EntityID<Book>(ItemKey(.book, frame[6 + Int($0)]).rawID) }
            self = .shelf(
                Shelf(
                    EntityID(key.rawID), room: frame.pick(3, ["hall", "attic"]), label: frame.pick(4, [nil, "A", "B"]),
                    books: books))
        case .counter: self = .counter(Counter(EntityID(key.rawID), Int(frame[3])))
        }
    }

    /// The item with one property changed, or unchanged.
    func changed(by frame: Frame) -> Item {
        switch (self, frame[3] % 8) {
        case (_, 0): return self
        case (.author(var author), _):
            author.email = frame.pick(4, Self.emails)
            return .author(author)
        case (.counter(let counter), _): return .counter(Counter(counter.id, Int(frame[4])))
        case (.shelf(var shelf), _):
            shelf.books.reverse()
            return .shelf(shelf)
        case (.book(var book), let change):
            switch change {
            case 1: book.title = frame.pick(4, Self.titles)
            case 2: book.chapters.reverse()
            case 3: book.genres.reverse()
            case 4: book.chapters = Array(book.chapters.dropFirst())
            case 5: book.cover = reference(.picture, frame[4], odds: 2)
            case 6: if !book.chapters.isEmpty { book.chapters[0].notes.reverse() }
            default: if !book.chapters.isEmpty { book.chapters[0].minutes = frame.pick(4, Self.minutes) }
            }
            return .book(book)
        case (.genre, _), (.picture, _), (.review, _): return Item(key, from: frame)
        }
    }

    fileprivate static func title(_ frame: Frame, _ index: Int) -> String { frame.pick(index, titles) }

    fileprivate static func fill(_ book: inout Book, from frame: Frame) {
        book.subtitle = frame[4] & 0x80 != 0 ? "with \(frame[4] & 3)" : nil
        book.pages = frame.pick(4, pages)
        book.price = frame.pick(5, prices)
        book.inPrint = frame[5] & 0x80 == 0
        book.printed = Timestamp(microseconds: Int64(frame[5]) - 100)
        book.published = CalendarDay(year: 2000 + Int(frame[5] & 7), month: 2, day: 29)
    }

    fileprivate static func minutes(_ frame: Frame, _ index: Int) -> Int? { frame.pick(index, minutes) }
}

extension Book {
    fileprivate init(_ key: ItemKey, from frame: Frame) {
        self.init(EntityID(key.rawID), Item.title(frame, 3))
        Item.fill(&self, from: frame)
        author = reference(.author, frame[6], odds: 2)
        sequel = reference(.book, frame[7], odds: 3)
        cover = reference(.picture, frame[8], odds: 3)
        genres = (0..<(frame[9] & 3)).map { EntityID(ItemKey(.genre, frame[9] >> (2 + 2 * $0)).rawID) }
        // Few ids, so that two objects sometimes claim the same one.
        chapters = (0..<(frame[10] & 3)).map { number in
            let notes = (0..<(frame[11] & 3)).map { note in
                Note(
                    EntityID(RawID(high: 1, low: UInt64(frame[11] >> 2 &+ number &* 5 &+ note) % 64)), "note \(note)",
                    source: reference(.genre, frame[11], odds: 3))
            }
            return Chapter(
                EntityID(RawID(high: 1, low: UInt64(frame[10] >> 2 &+ number) % 32)), "part \(frame[11] & 1)",
                minutes: Item.minutes(frame, 10), notes: notes)
        }
    }
}

/// A reference to a kind with a probability of 1 in `odds`, otherwise nil.
private func reference<E>(_ kind: ItemKind, _ byte: UInt8, odds: UInt8) -> EntityID<E>? {
    byte % odds == odds - 1 ? EntityID(ItemKey(kind, byte / odds).rawID) : nil
}
