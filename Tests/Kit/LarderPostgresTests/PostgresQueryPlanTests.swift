#if Postgres
import LarderData
import LarderDomain
import LarderInfrastructure
@testable import LarderPostgres
import Testing

/// The access paths of queries, from `EXPLAIN` without scans of tables: a remaining scan means that no index is usable.
@Suite(.postgres)
struct PostgresQueryPlanTests {
    @Test func `no table is scanned where an index exists`() async throws {
        try await withBooks("plans") { connection, books in
            let one = RawID(high: 1, low: 1)
            let isOfCover = Condition.compare(.column(1), .equal, .literal(.id(one)))
            let conditions: [Condition] = [
                .compare(.id, .equal, .literal(.id(one))), .isIn(.id, [.id(one)]),
                .compare(.column(0), .equal, .literal(.text("a"))), .hasPrefix(.column(0), "a"),
                .isIn(.column(0), Set((1...500).map { .text("\($0)") })),
                .compare(.column(1), .equal, .literal(.text("a"))),
                .compare(.column(2), .greater, .literal(.integer(1))), .compare(.column(3), .equal, .literal(.id(one))),
                .links(relationship: 0, id: one), .anyChild(relationship: 0, isOfCover),
                .or([.links(relationship: 0, id: one), .compare(.id, .equal, .literal(.id(one)))]),
            ]
            for condition in conditions {
                let page = ReadRequest(books.schema, where: condition, limit: 20)
                for query in [
                    try SQLReads.page(page, books.table, .postgres),
                    try SQLReads.total(condition, books.table, .postgres),
                ] {
                    let plan = try self.plan(query.text, query.values, connection)
                    #expect(!plan.contains("Seq Scan"), "\(condition): \(plan)")
                }
            }
        }
    }

    @Test func `a page in the order of an index is read in that order`() async throws {
        try await withBooks("orders") { connection, books in
            for column in [0, 1, 2] {
                for isDescending in [false, true] {
                    let order = [OrderTerm(.column(column), isDescending: isDescending)]
                    let place = Place(values: [column == 2 ? .integer(1) : .text("a")], id: RawID(high: 1, low: 1))
                    for after in [nil, place] {
                        let page = ReadRequest(books.schema, order: order, after: after, limit: 20)
                        let query = try SQLReads.page(page, books.table, .postgres)
                        let plan = try self.plan(query.text, query.values, connection)
                        // Texts with the same start are sorted, a group at a time.
                        #expect(!plan.contains("Seq Scan") && !plan.contains("> Sort "), "\(order): \(plan)")
                    }
                }
            }
        }
    }

    @Test func `fixed statements and removals use indexes`() async throws {
        try await withBooks("statements") { connection, books in
            let removals = books.schema.references.map { SQLRemoval($0, books.table, .postgres) }
            var texts = [SQLRemoval.raise(removals, books.table, .postgres)]
            for removal in removals {
                texts += [removal.park].compactMap(\.self) + removal.closeGaps + [removal.remove]
            }
            for table in books.withDescendants {
                let reads = [table.readOne, table.readMany, table.readOwned, table.readOwnedByOne] + table.duplicates
                let links = table.links.flatMap { [$0.read, $0.readOne, $0.truncate] }
                texts += (reads + table.deleteOwned + [table.delete] + links).map(\.text)
            }
            for text in texts {
                let parameters = (1...9).prefix { text.contains("$\($0)") }.map { _ in "NULL" }.joined(separator: ", ")
                try connection.execute("PREPARE one AS \(text)")
                let rows = try connection.execute("EXPLAIN EXECUTE one(\(parameters))")
                var plan = ""
                while rows.advance() { plan += rows.text(0) + "\n" }
                #expect(!plan.contains("Seq Scan"), "\(text): \(plan)")
                try connection.execute("DEALLOCATE one")
            }
        }
    }

    /// A plan that is made while the journal is short would read all rows of a long one.
    @Test func `a commit reads no row of the journal`() async throws {
        try await withBooks("appends") { connection, books in
            let id = RawID(high: 1, low: 1)
            let changes = ChangeSet(inserts: [StorageObject(schema: Sample.author, id: id, values: [.text("a")])])
            let update = (
                text: SQLUpdate(plan: books, columns: [0]).text, values: [Value.id(id), .integer(1), .text("b")]
            )
            for update in [nil, update] {
                let step = PostgresJournal.append(changes, 0, to: 1, Box(0), after: update)
                let plan = try self.plan(step.text, step.values, connection)
                #expect(plan.contains("Insert on larder_journal"))
                let scans = plan.split(separator: "\n").filter { $0.contains("Scan") }
                #expect(!scans.contains { $0.contains("journal") }, "\(plan)")
            }
        }
    }

    @Test func `a reader of the journal reads only the rows after its position`() async throws {
        try await withBooks("pages") { connection, _ in
            let plan = try self.plan(PostgresJournal.page, [.integer(1), .integer(1)], connection)
            #expect(plan.contains("Index Cond: (\"position\" > '1'") && !plan.contains("Filter"), "\(plan)")
        }
    }

    private func withBooks(
        _ name: String, _ body: @Sendable @escaping (PostgresConnection, SQLTablePlan) throws -> Void
    ) async throws {
        let schemas = try SchemaSet([Sample.book, Sample.author])
        let store = try await Scratch.open(schemas, name)
        await store.close()
        let configuration = try await Scratch.configuration(name)
        try await Task.detached {
            let connection = try PostgresConnection(configuration)
            try connection.execute(
                "SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan"
            )
            try body(connection, try SQLPlan(schemas).root(Sample.book))
        }.value
        await Scratch.drop(name)
    }

    private func plan(_ text: String, _ values: [Value], _ connection: PostgresConnection) throws -> String {
        let rows = try connection.run("EXPLAIN " + text, values)
        var plan = ""
        while rows.advance() { plan += rows.text(0) + "\n" }
        return plan
    }
}

extension Sample {
    static let author = EntitySchema(name: "author", columns: [Column(name: "name", type: .text)])

    static let book = EntitySchema(
        name: "book",
        columns: [
            Column(name: "title", type: .text), Column(name: "subtitle", type: .text, isNullable: true),
            Column(name: "pages", type: .integer, isNullable: true),
            Column(
                name: "author_id", type: .id, isNullable: true,
                reference: Reference(target: "author", onDelete: .remove)),
        ],
        children: [ChildRelationship(name: "chapters", schema: chapter)],
        links: [LinkRelationship(name: "editors", target: "author", onDelete: .remove)], uniques: [[0]],
        indexes: [[1], [2]])

    private static let chapter = EntitySchema(
        name: "chapter",
        columns: [
            Column(name: "text", type: .text),
            Column(
                name: "cover_id", type: .id, isNullable: true, reference: Reference(target: "author", onDelete: .remove)
            ),
        ])
}
#endif
