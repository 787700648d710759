internal import LarderDomain

/// A count by groups, and its equivalent in plain Swift.
struct Tally: Sendable {
    let name: String
    /// Counts with a manager and converts the groups to text.
    let count: @Sendable (any PersistencyManager) async throws(PersistencyError) -> Answer
    private let groups: @Sendable (Item) -> [String]

    private init<E: Entity, Key: Hashable & Sendable>(
        _ name: String, by grouping: Grouping<E, Key>, _ groups: @escaping @Sendable (E) -> [Key]
    ) {
        self.name = name
        count = { (manager) async throws(PersistencyError) in
            let counts = try await manager.counts(Query<E>(), by: grouping)
            return .counted(counts.reduce(into: [:]) { $0["\($1.key)"] = $1.value })
        }
        self.groups = { ($0.entity as? E).map(groups)?.map { "\($0)" } ?? [] }
    }

    /// The expected answer.
    func answer(from all: [KeptItem]) -> Answer {
        .counted(all.flatMap { groups($0.item) }.reduce(into: [:]) { $0[$1, default: 0] += 1 })
    }

    static let all: [Tally] = [
        Tally("books by author", by: Grouping<Book, EntityID<Author>>.value(\.author)) { $0.author.map { [$0] } ?? [] },
        // A book that contains a genre twice is counted once for it.
        Tally("books by genre", by: Grouping<Book, EntityID<Genre>>.members(\.genres)) { Array(Set($0.genres)) },
        Tally("books by number of chapters", by: Grouping<Book, Int>.size(\.chapters)) { [$0.chapters.count] },
        Tally("reviews by stars", by: Grouping<Review, Int>.value(\.stars)) { [$0.stars] },
        Tally("shelves by label", by: Grouping<Shelf, String>.value(\.label)) { $0.label.map { [$0] } ?? [] },
    ]
}
