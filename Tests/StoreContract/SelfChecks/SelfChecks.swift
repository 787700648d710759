internal import LarderData
internal import LarderDomain

/// Checks of the answers of one store with each other, which need no other implementation of queries: the partitions of
/// TLP (ternary logic partitioning), and the counts and filters of NoREC, two methods of SQLancer.
struct SelfChecks {
    /// The number of checks made.
    var count = 0
    var chance: Chance

    init(seed: UInt64) {
        chance = Chance(seed: seed)
    }

    /// Checks a list by partitions of the whole, its pages, and a part that is selected by ids.
    ///
    /// - Returns: The list.
    mutating func checkList<L: Listing>(
        _ question: L, of whole: L, _ partitions: [[L]], _ source: L.Source, with ids: (Set<RawID>) throws -> L?
    ) async throws -> [L.Item] {
        let all = try await whole.list(source)
        for parts in partitions { try await L.expectPartition(parts, of: all, source) }
        let list = try await question.list(source)
        try await question.expectPages(Int.random(in: 1...45, using: &chance), of: list, source)
        count += partitions.count + 1
        let some = Set(all.map(L.id).filter { _ in chance.happens(oneIn: 2) })
        if let part = try ids(some) {
            let expected = list.filter { some.contains(L.id(of: $0)) }
            try expect("the part with some ids", try await part.list(source), is: expected)
            count += 1
        }
        return list
    }

    private mutating func checkList<L: InquiredListing>(
        _ question: L, _ inquiry: Inquiry, _ source: L.Source
    ) async throws -> [L.Item] {
        func asking(_ parts: [PlainQuestion]) throws -> L? { try L(inquiry.asking(parts)) }
        guard let whole = try asking([]) else { return [] }
        let partitions = try inquiry.partitions.compactMap { partition in
            let parts = try partition.compactMap(asking)
            // Swift has no predicate for some conditions, and so none for their negations.
            return parts.count == partition.count ? parts : nil
        }
        return try await checkList(question, of: whole, partitions, source) { ids in
            try asking(inquiry.parts + [.isAmong(.property(.id), ids.map { .id($0.high, $0.low) })])
        }
    }

    /// Checks a query of specimens, and its stream, counts and figures.
    mutating func check(
        _ query: Query<Specimen>, _ inquiry: Inquiry, _ manager: any PersistencyManager
    ) async throws {
        let list = try await checkList(query, inquiry, manager)
        try await expectStream(query, list, manager)
        let grouping = inquiry.grouping ?? chance.pick(Property.allCases.dropLast())
        try await expectFigures(query, by: grouping, of: list.map(\.entity), manager)
        count += 1
    }

    /// Checks a request for specimens, and its counts and figures.
    mutating func check(_ request: ReadRequest, _ inquiry: Inquiry, _ store: any Store) async throws {
        let list = try await checkList(request, inquiry, store)
        let property = inquiry.grouping ?? chance.pick(Property.allCases.dropLast())
        let counted = CountRequest(request.schema, where: request.condition, by: .column(property.rawValue))
        let counts = list.flatMap(counted.keys).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        try expect("the counts by \(property)", try await store.counts(counted), is: counts)
        let figures = PlainFigures.request(request, by: property)
        var table = AggregateTable(figures)
        for object in list { table.add(object) }
        try expect("the figures by \(property)", try await store.aggregates(figures).groups, is: table.groups)
        count += 1
    }

    mutating func expectStream<E: Entity>(
        _ query: Query<E>, _ list: [Stored<E>], _ manager: any PersistencyManager
    ) async throws {
        var (query, streamed) = (query, [Stored<E>]())
        query.limit = nil
        for try await item in manager.stream(query) { streamed.append(item) }
        try expect("the stream", streamed, is: list)
        count += 1
    }
}

/// A list of specimens that an inquiry describes.
private protocol InquiredListing: Listing {
    init?(_ inquiry: Inquiry) throws
}

extension Query: InquiredListing where E == Specimen {}

extension ReadRequest: InquiredListing {}
