import CLarderSQLite
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The access paths of queries, from `EXPLAIN QUERY PLAN`.
@Suite(.currentSQLite) struct SQLiteQueryPlanTests {
    private let scratch = Scratch()

    /// Conditions on books, each with an index.
    private static let conditions: [Condition] = {
        let (one, text) = (Sample.id(1), Operand.literal(.text("a")))
        let isOfCover = Condition.compare(.column(1), .equal, .literal(.id(one)))
        return [
            .compare(.id, .equal, .literal(.id(one))),
            .isIn(.id, Set((1...3).map { .id(Sample.id($0)) })),
            .isIn(.id, Set((1...500).map { .id(Sample.id($0)) })),
            .compare(.column(0), .equal, text),
            .hasPrefix(.column(0), "a"),
            .isIn(.column(0), Set((1...500).map { .text("\($0)") })),
            .compare(.column(2), .equal, text),
            .compare(.column(3), .equal, .literal(.id(one))),
            .links(relationship: 0, id: one),
            .anyChild(relationship: 0, isOfCover),
            .anyChild(relationship: 0, .links(relationship: 0, id: one)),
            .and([.anyChild(relationship: 0, isOfCover), .compare(.column(1), .greater, .literal(.integer(1)))]),
            .or([.anyChild(relationship: 0, isOfCover), .links(relationship: 0, id: one)]),
            .related(RelatedRoots(Sample.book, by: .column(3), isIncoming: false), .compare(.column(0), .equal, text)),
            .related(RelatedRoots(Sample.book, by: .column(3), isIncoming: true), .compare(.column(0), .equal, text)),
        ]
    }()

    private func plan(of query: SQLQuery, _ connection: SQLiteConnection) throws -> [String] {
        try plan(of: query.text, query.values, connection)
    }

    private func plan(of text: String, _ values: [Value], _ connection: SQLiteConnection) throws -> [String] {
        let statement = try connection.statement("EXPLAIN QUERY PLAN " + text)
        defer { statement.finish() }
        try statement.bind(values, from: 1)
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(3)) }
        return lines
    }

    @Test func `no table is scanned where an index exists`() async throws {
        try await scratch.open().close()
        let connection = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READONLY)
        let plan = try SQLPlan(Sample.schemas())
        let books = try plan.root(Sample.book)
        for condition in Self.conditions {
            let page = ReadRequest(Sample.book, where: condition, limit: 20)
            let found = try self.plan(of: SQLReads.page(page, books.table, .sqlite), connection)
            let counted = try self.plan(of: SQLReads.total(condition, books.table, .sqlite), connection)
            for line in found + counted {
                #expect(!line.hasPrefix("SCAN t") && !line.hasPrefix("SCAN b"), "\(condition): \(line)")
            }
        }
    }

    @Test func `computed values of a page are those of its roots only`() async throws {
        try await scratch.open().close()
        let connection = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READONLY)
        let books = try SQLPlan(Sample.schemas()).root(Sample.book)
        var page = ReadRequest(Sample.book, order: [OrderTerm(.column(1), isDescending: true)], limit: 20)
        page.projection = Projection(of: Sample.book, [Column(name: "count", type: .integer)], [.childCount(0)])
        let lines = try plan(of: SQLReads.page(page, books.table, .sqlite), connection)
        // The sort scans the table for the ids of the page, which are then looked up.
        #expect(lines.first?.hasPrefix("SEARCH t0") == true, "\(lines)")
        #expect(lines.contains("USE TEMP B-TREE FOR ORDER BY"), "\(lines)")
    }

    @Test func `references are removed without a scan of a table`() async throws {
        try await scratch.open().close()
        let connection = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READONLY)
        let books = try SQLPlan(Sample.schemas()).root(Sample.book)
        let removals = Sample.book.references.map { SQLRemoval($0, books.table, .sqlite) }
        #expect(removals.count == 5)
        var texts =
            [SQLRemoval.raise(removals, books.table, .sqlite)]
            + removals.map { SQLRemoval.raise([$0], books.table, .sqlite) }
        for removal in removals { texts += [removal.park].compactMap(\.self) + removal.closeGaps + [removal.remove] }
        for text in texts {
            for line in try plan(of: text, [], connection) {
                // The bound ids.
                let isList = ["SCAN ids", "SCAN CONSTANT ROW"].contains(line)
                #expect(!line.hasPrefix("SCAN") || isList, "\(text): \(line)")
            }
        }
    }

    @Test func `a page in the order of an index is neither sorted nor searched for from the start`() async throws {
        try await scratch.open().close()
        let connection = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READONLY)
        let plan = try SQLPlan(Sample.schemas())
        let books = try plan.root(Sample.book)
        for order in [[], [OrderTerm(.column(0))], [OrderTerm(.id, isDescending: true)]] {
            let lines = try self.plan(
                of: SQLReads.page(ReadRequest(Sample.book, order: order, limit: 20), books.table, .sqlite), connection)
            #expect(!lines.contains { $0.contains("TEMP B-TREE") }, "\(order): \(lines)")
        }
        let ranges: [(Int, Condition)] = [
            (0, .compare(.column(0), .greaterOrEqual, .literal(.text("a")))),
            (1, .compare(.column(1), .less, .literal(.integer(7)))),
        ]
        for (column, condition) in ranges {
            let page = ReadRequest(Sample.book, where: condition, order: [OrderTerm(.column(column))], limit: 20)
            let lines = try self.plan(of: SQLReads.page(page, books.table, .sqlite), connection)
            #expect(lines.allSatisfy { $0.hasPrefix("SEARCH t0 USING INDEX") }, "\(condition): \(lines)")
        }
    }

    @Test func `a search finds rows of words by the index, and reads one of them and one root for each hit`() throws {
        let words = EntitySchema(name: "note_words", columns: [Column(name: "words", type: .text, isDerived: true)])
        let note = EntitySchema(
            name: "note", columns: [Column(name: "text", type: .text)],
            children: [ChildRelationship(name: "words", schema: words)])
        let table = try SQLPlan(SchemaSet([note])).root(note)
        let connection = try SQLiteConnection(":memory:", flags: SQLITE_OPEN_READWRITE)
        let (dialect, child) = (SQLiteDialect(), table.children[0].table)
        for text in dialect.definitions(of: table.table) + dialect.definitions(of: child) {
            try connection.execute(text)
        }
        for text in child.indexes.flatMap({ dialect.definitions(of: $0, on: child) }) { try connection.execute(text) }
        let starts = [" a:", " b", " c:"]
        for count in 1...3 {
            let tests = starts.prefix(count).map { Condition.anyChild(relationship: 0, .contains(.column(0), $0)) }
            let order = OrderTerm(.rank(relationship: 0, Array(starts.prefix(count))), isDescending: true)
            let page = ReadRequest(note, where: .and(tests), order: [order], limit: 20)
            let lines = try plan(of: SQLReads.page(page, table.table, .sqlite), connection)
            let reads = ["SEARCH t1 USING INTEGER PRIMARY KEY (rowid=?)", "SEARCH t0 USING PRIMARY KEY (id=?)"]
            #expect(lines.filter { $0.hasPrefix("SEARCH") } == reads, "\(lines)")
            let scans = lines.filter { $0.hasPrefix("SCAN") }
            #expect(scans.count == 1 && scans[0].hasPrefix("SCAN note_words_index VIRTUAL TABLE INDEX"), "\(lines)")
        }
    }
}
