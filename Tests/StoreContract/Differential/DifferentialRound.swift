internal import LarderData
internal import LarderDomain

/// A store that contains the rows of a round.
struct AskedStore: Sendable {
    let name: String
    let store: any Store
    let manager: any PersistencyManager
}

/// A set of rows and the queries on them.
struct DifferentialRound: Sendable {
    /// The ids of the requirements that a round tests.
    static let requirements = [
        "aggregate.1", "aggregate.2", "aggregate.5", "aggregate.6", "aggregate.7", "aggregate.8", "comparison.1",
        "comparison.2", "comparison.3", "comparison.4", "comparison.5", "comparison.6", "condition.1",
        "condition.2", "condition.3", "condition.4", "condition.5", "condition.6", "condition.7", "condition.8",
        "condition.9", "condition.10", "condition.11", "condition.12", "condition.13", "condition.14", "condition.17",
        "condition.19", "counts.2", "operand.2", "operand.7", "operand.9", "operand.10", "operand.13", "operand.14",
        "operand.15", "operand.18", "operand.19", "operand.20", "query.1", "query.2", "request.1", "request.2",
        "request.3", "request.7", "request.12", "request.20", "tally.1",
    ]

    private let rows: [PlainRow]
    /// The rows in the form that stores and managers must return, by id.
    private let objects: [PlainValue: StorageObject]
    private let specimens: [PlainValue: Specimen]

    init(rows: [PlainRow]) throws {
        self.rows = rows
        objects = Dictionary(try rows.map { ($0[.id], try $0.object()) }) { first, _ in first }
        specimens = Dictionary(try rows.map { ($0[.id], try $0.specimen()) }) { first, _ in first }
    }

    /// Inserts the rows into an empty store, in random order.
    func fill(_ name: String, _ store: any Store) async throws -> AskedStore {
        let inserts = try specimens.values.map { try SpecimenMapper.storageObject(from: $0) }
        _ = try await store.commit(ChangeSet(inserts: inserts))
        return AskedStore(name: name, store: store, manager: try Library.manager(over: store))
    }

    /// Sends one query to all stores.
    func ask(_ inquiry: Inquiry, _ stores: [AskedStore], into report: inout DifferentialReport) async throws {
        let query = inquiry.prefersPredicates ? Query(inquiry) : nil
        let request = query == nil ? try ReadRequest(inquiry) : nil
        guard query != nil || request != nil else { return }
        let expected = Oracle.answer(inquiry.question, order: inquiry.order, from: rows)
        var isAnswered = true
        for asked in stores {
            do {
                if let query {
                    try await check(query, inquiry, asked.manager, expected)
                } else if let request {
                    try await check(request, inquiry, asked.store, expected)
                }
            } catch PersistencyError.unsupportedQuery {
                isAnswered = false
            } catch {
                let way = query == nil ? "condition" : "predicate"
                let reason = (error as? LawBroken)?.reason ?? "\(error)"
                report.complaints.append(
                    "\(asked.name), query \(report.queries) of seed \(report.seed), as a \(way), \(inquiry): \(reason)")
            }
        }
        report.queries += 1
        if query != nil { report.predicates += 1 }
        if isAnswered { report.coverage.count(inquiry.cells) } else { report.unsupported += 1 }
    }

    private func check(
        _ request: ReadRequest, _ inquiry: Inquiry, _ store: any Store, _ expected: [PlainRow]
    ) async throws {
        let wanted = expected.compactMap { objects[$0[.id]] }
        var (request, seen) = (request, 0)
        repeat {
            let page = try await store.read(request)
            let total = request.includesTotal ? wanted.count : nil
            try expectPage(
                page.items, total: page.total, isLast: page.next == nil, of: wanted, from: seen,
                limit: request.limit, total)
            seen += page.items.count
            request.after = page.next
        } while request.after != nil
        guard let grouping = inquiry.grouping else { return }
        let counted = CountRequest(request.schema, where: request.condition, by: .column(grouping.rawValue))
        var counts: [Value: Int] = [:]
        for (value, count) in Oracle.counts(of: grouping, in: expected) { counts[try Value(value)] = count }
        try expect("the counts by \(grouping)", try await store.counts(counted), is: counts)
        let found = try await store.aggregates(PlainFigures.request(request, by: grouping)).groups
        try expect("the figures by \(grouping)", found, is: try PlainFigures.expected(by: grouping, in: expected))
    }

    private func check(
        _ query: Query<Specimen>, _ inquiry: Inquiry, _ manager: any PersistencyManager, _ expected: [PlainRow]
    ) async throws {
        let wanted = expected.compactMap { specimens[$0[.id]] }
        var (query, seen) = (query, 0)
        repeat {
            let page = try await manager.read(query)
            let total = query.includesTotal ? wanted.count : nil
            try expectPage(
                page.entities, total: page.total, isLast: page.next == nil, of: wanted, from: seen,
                limit: query.limit, total)
            seen += page.items.count
            // The cursor as text, the form in which callers keep it.
            query.after = page.next.map { Cursor(rawValue: $0.rawValue) }
        } while query.after != nil
        if let grouping = inquiry.grouping {
            try await expectCounts(by: grouping, query, manager, Oracle.counts(of: grouping, in: expected))
        }
    }

    private func expectPage<Item: Equatable>(
        _ items: [Item], total: Int?, isLast: Bool, of wanted: [Item], from start: Int, limit: Int?, _ wantedTotal: Int?
    ) throws {
        let rest = wanted[start...].prefix(limit ?? wanted.count)
        try expect(items.count == rest.count, "a page from \(start) has \(items.count) rows instead of \(rest.count)")
        for (offset, (item, other)) in zip(items, rest).enumerated() where item != other {
            throw LawBroken("row \(start + offset) is \(item) instead of \(other)")
        }
        try expect(isLast == (start + items.count == wanted.count), "a page from \(start) ends, or does not, too early")
        try expect("the total", total, is: wantedTotal)
    }
}
