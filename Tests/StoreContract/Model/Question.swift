#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

/// A query, and its equivalent in plain Swift.
struct Question: Sendable {
    let name: String
    /// Reads all pages of a size, or everything at once.
    let ask: @Sendable (any PersistencyManager, _ pageSize: Int?) async throws(PersistencyError) -> Answer
    private let holds: @Sendable (Item) -> Bool
    /// `nil` for the order of ids.
    private let precedes: @Sendable (Item, Item) -> Bool?

    private init<E: Entity>(
        _ name: String, _ predicate: Predicate<E>? = nil, sort: [Sort<E>] = [],
        where holds: @escaping @Sendable (E) -> Bool = { _ in true },
        by precedes: @escaping @Sendable (E, E) -> Bool? = { _, _ in nil }
    ) {
        self.name = name
        ask = { (manager, size) async throws(PersistencyError) in
            var query = Query(predicate, sort: sort, limit: size, includesTotal: true)
            var (items, total): ([KeptItem], Int?) = ([], nil)
            repeat {
                let page = try await manager.read(query)
                items += try KeptItem.all(page.items)
                total = page.total
                query.after = page.next
            } while query.after != nil && items.count < 1000
            return .found(items, total: total)
        }
        self.holds = { ($0.entity as? E).map(holds) ?? false }
        self.precedes = { lhs, rhs in
            guard let lhs = lhs.entity as? E, let rhs = rhs.entity as? E else { return nil }
            return precedes(lhs, rhs)
        }
    }

    /// The expected answer.
    func answer(from all: [KeptItem]) -> Answer {
        let found = all.filter { holds($0.item) }
        let sorted = found.sorted { precedes($0.item, $1.item) ?? ($0.item.key.number < $1.item.key.number) }
        return .found(sorted, total: sorted.count)
    }

    /// Everything, kind by kind.
    static let everything: [Question] = [
        Question("authors", where: { (_: Author) in true }), Question("genres", where: { (_: Genre) in true }),
        Question("pictures", where: { (_: Picture) in true }), Question("books", where: { (_: Book) in true }),
        Question("reviews", where: { (_: Review) in true }), Question("shelves", where: { (_: Shelf) in true }),
        Question("counters", where: { (_: Counter) in true }),
    ]

    static let all: [Question] =
        everything + [
            Question(
                "authors with an address, by address", #Predicate<Author> { $0.email != nil },
                sort: [Sort(\.email, .descending)], where: { $0.email != nil },
                by: { byBytes($1.email ?? "", $0.email ?? "") }),
            Question(
                "books of few pages, by pages", #Predicate<Book> { ($0.pages ?? 0) < 100 }, sort: [Sort(\.pages)],
                where: { ($0.pages ?? 0) < 100 },
                by: { lhs, rhs in
                    guard lhs.pages != rhs.pages else { return nil }
                    guard let few = lhs.pages, let many = rhs.pages else { return lhs.pages == nil }
                    return few < many
                }),
            Question(
                "books by title", sort: [Sort(\.title)], where: { (_: Book) in true },
                by: { byBytes($0.title, $1.title) }),
            Question(
                "books with a long chapter", #Predicate<Book> { $0.chapters.contains { ($0.minutes ?? 0) > 9 } },
                where: { $0.chapters.contains { ($0.minutes ?? 0) > 9 } }),
            booksOfGenre(EntityID(ItemKey(.genre, 1).rawID)), reviewsOfBook(EntityID(ItemKey(.book, 0).rawID)),
            Question(
                "shelves of the hall", #Predicate<Shelf> { $0.room == "hall" }, where: { $0.room == "hall" }),
        ]

    private static func booksOfGenre(_ id: EntityID<Genre>) -> Question {
        Question(
            "books of a genre", #Predicate<Book> { $0.genres.contains(id) }, where: { $0.genres.contains(id) })
    }

    private static func reviewsOfBook(_ id: EntityID<Book>) -> Question {
        Question(
            "reviews of a book, the best first", #Predicate<Review> { $0.book == id },
            sort: [Sort(\.stars, .descending)],
            where: { $0.book == id }, by: { $0.stars == $1.stars ? nil : $0.stars > $1.stars })
    }

    private static func byBytes(_ lhs: String, _ rhs: String) -> Bool? {
        lhs == rhs ? nil : lhs.utf8.lexicographicallyPrecedes(rhs.utf8)
    }
}
