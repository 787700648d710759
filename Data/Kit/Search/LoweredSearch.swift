internal import LarderDomain

/// A search as conditions over the words of an entity, and the order by rank.
struct LoweredSearch {
    private static let maximumCount = 16

    /// One condition for each distinct word.
    let conditions: [Condition]
    let order: OrderTerm

    /// `nil` for a query without a search.
    init?<E: Entity>(_ query: Query<E>, _ schema: EntitySchema) throws(PersistencyError) {
        guard let text = query.search else { return nil }
        guard let list = schema.searchList else { throw .unsupportedQuery("a search for \(schema.name)") }
        guard query.sort.isEmpty else { throw .unsupportedQuery("a sort of a search, which is sorted by rank") }
        var starts: [String] = []
        var words = SearchWords(text)
        while let word = words.next() {
            let start = words.isPrefix ? WordText.start(ofWordsFrom: word) : WordText.start(of: word)
            if starts.contains(start) { continue }
            guard starts.count < Self.maximumCount else {
                throw .unsupportedQuery("a search for more than \(Self.maximumCount) words")
            }
            starts.append(start)
        }
        guard !starts.isEmpty else { throw .unsupportedQuery("a search without a word") }
        conditions = starts.map { .anyChild(relationship: list, .contains(.column(0), $0)) }
        order = OrderTerm(.rank(relationship: list, starts), isDescending: true)
    }
}
