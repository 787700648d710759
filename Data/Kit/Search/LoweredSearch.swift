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
        var (tests, tokens) = ([Condition](), Set<Value>())
        var words = SearchWords(text)
        let token = Operand.column(SearchTerms.token)
        while let word = words.next() {
            let test =
                words.isPrefix ? Condition.hasPrefix(token, word) : .compare(token, .equal, .literal(.text(word)))
            if tests.contains(test) { continue }
            if !words.isPrefix { tokens.insert(.text(word)) }
            guard tests.count < Self.maximumCount else {
                throw .unsupportedQuery("a search for more than \(Self.maximumCount) words")
            }
            tests.append(test)
        }
        guard !tests.isEmpty else { throw .unsupportedQuery("a search without a word") }
        conditions = tests.map { .anyChild(relationship: list, $0) }
        let prefixes = tests.filter { if case .hasPrefix = $0 { true } else { false } }
        let isAny = Condition.any((tokens.isEmpty ? [] : [.isIn(token, tokens)]) + prefixes)
        let rank = Operand.childSum(relationship: list, column: SearchTerms.weight, where: isAny)
        order = OrderTerm(rank, isDescending: true)
    }
}
