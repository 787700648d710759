internal import LarderData
internal import LarderDomain

/// Many books that differ in all properties that a query can use, and the objects that they refer to.
struct Bookshop: Sendable {
    private(set) var authors: [Author] = []
    private(set) var genres: [Genre] = []
    /// In ascending order of ids.
    private(set) var books: [Book] = []

    static let words = [
        "Bread", "bread", "Brød", "Éclair", "éclair", "eclair", "Zopf", "Apfel", "Äpfel", "the", "of", "日本", "🥐", "",
    ]
    static let subtitles: [String?] = [nil, nil, "", "a", "A", "with yeast", "Åse's", "100%", "under_score", "é"]
    static let pages: [Int?] = [nil, nil, .min, -7, -1, 0, 1, 12, 100, 101, 300, .max]
    static let prices: [Double?] = [nil, nil, -0.5, 0, 0.1, 0.25, 9.99, 10, 1e9, .greatestFiniteMagnitude]
    static let minutes: [Int?] = [nil, 0, 5, 30]

    /// Makes the same shop for the same ids.
    init(_ trial: Trial, count: Int = 60) {
        var chance = Chance(seed: 7)
        authors = (0..<4).map { Author(trial.id(), "Author \($0)") }
        genres = (0..<5).map { Genre(trial.id(), "Genre \($0)") }
        for _ in 0..<count {
            var book = Book(trial.id(), (0..<2).map { _ in chance.pick(Self.words) }.joined(separator: " "))
            book.subtitle = chance.pick(Self.subtitles)
            book.pages = chance.pick(Self.pages)
            book.price = chance.pick(Self.prices)
            book.inPrint = chance.happens(oneIn: 2)
            book.printed = Timestamp(microseconds: Int64.random(in: -3...3, using: &chance) * 1_000_000)
            book.published = CalendarDay(year: 2020 + Int.random(in: 0...6, using: &chance), month: 2, day: 29)
            book.author = chance.happens(oneIn: 3) ? nil : chance.pick(authors).id
            book.sequel = chance.happens(oneIn: 3) ? books.last?.id : nil
            book.genres = genres.filter { _ in chance.happens(oneIn: 3) }.map(\.id).shuffled(using: &chance)
            book.chapters = (0..<Int.random(in: 0...3, using: &chance)).map { _ in
                let notes = (0..<Int.random(in: 0...2, using: &chance)).map { _ in
                    let source = chance.happens(oneIn: 2) ? chance.pick(genres).id : nil
                    return Note(trial.id(), chance.pick(Self.words), source: source)
                }
                return Chapter(trial.id(), chance.pick(Self.words), minutes: chance.pick(Self.minutes), notes: notes)
            }
            books.append(book)
        }
    }

    /// Stores the shop in one commit.
    func open(in trial: Trial) async throws {
        var inserts = try authors.map { try $0.object }
        inserts += try genres.map { try $0.object }
        inserts += try books.map { try $0.object }
        _ = try await trial.store.commit(ChangeSet(inserts: inserts))
    }
}

extension Trial {
    /// A shop that has been stored.
    func bookshop(count: Int = 60) async throws -> Bookshop {
        let shop = Bookshop(self, count: count)
        try await shop.open(in: self)
        return shop
    }
}
