#if Postgres
import LarderData
import LarderDomain
import LarderInfrastructure
@testable import LarderInfrastructureTests
@testable import LarderPostgres
import Testing

/// Migrations of a store in a database that it shares with a second application, which stays as it is.
@Suite(.postgres)
struct PostgresNeighborTests {
    /// A change of the schemas of ``Neighbor``.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let schemas: @Sendable () throws -> SchemaSet
        /// The names in a refusal, if the second application has attached objects; none if they do not matter.
        let refused: [String]

        init(_ name: String, refused: [String] = [], _ schemas: @escaping @Sendable () throws -> SchemaSet) {
            (testDescription, self.refused, self.schemas) = (name, refused, schemas)
        }

        var name: String { "neighbor_" + testDescription.replacing(" ", with: "_") }
    }

    private static let (book, tag, draft) = (Neighbor.old[0], Neighbor.old[1], Neighbor.old[2])

    private static func book(
        name: String = "book", _ columns: [Column]? = nil, adding added: [Column] = [],
        links: [LinkRelationship]? = nil, uniques: [[Int]] = [[0]], indexes: [[Int]] = [[1]],
        hints: SchemaHints = SchemaHints()
    ) -> EntitySchema {
        EntitySchema(
            name: name, columns: (columns ?? book.columns) + added, children: book.children, links: links ?? book.links,
            uniques: uniques, indexes: indexes, hints: hints)
    }

    private static func step(_ name: String, adding: [Column], removing: [String]) -> SchemaEvolution {
        let change = MigrationStep(
            name, version: 2, entity: "book", reading: [book.columns[0], book.columns[2]],
            adding: adding.map { .column($0) }, removing: removing
        ) { old, context in
            if try old.text("title") == "title 7" { return nil }
            var new = context.reshaped(old)
            for column in adding where !column.isNullable {
                try new.set(column.name, .integer((old.integer("pages") ?? 0) * 2))
            }
            return new
        }
        return SchemaEvolution(version: 2, steps: [change])
    }

    private static let sheets = Column(name: "sheets", type: .integer)

    static let changes: [Change] = [
        Change("additions") {
            let topic = EntitySchema(name: "topic", columns: [Column(name: "name", type: .text)], uniques: [[0]])
            let reference = Column(
                name: "topic_id", type: .id, isNullable: true, reference: Reference(target: "topic", onDelete: .remove))
            let topics = LinkRelationship(name: "topics", target: "topic", onDelete: .remove)
            let new = book(
                adding: [Column(name: "rank", type: .integer, defaultValue: .integer(7)), reference],
                links: book.links + [topics], uniques: [[0], [2]], indexes: [[1], [4]])
            return try SchemaSet([new, tag, draft, topic])
        },
        Change("removed groups") {
            try SchemaSet([book(uniques: [], indexes: []), tag, draft], evolution: SchemaEvolution(version: 2))
        },
        Change("a renamed entity", refused: ["view NAME_reports.titles", "trigger audit", "index NAME.by_hand"]) {
            let new = EntitySchema(
                name: "work",
                columns: book.columns.dropLast() + [
                    Column(
                        name: "next_id", type: .id, isNullable: true,
                        reference: Reference(target: "work", onDelete: .remove))
                ], children: book.children, links: book.links, uniques: [[0]], indexes: [[1]],
                hints: SchemaHints(formerNames: ["book"]))
            return try SchemaSet([new, tag, draft], evolution: SchemaEvolution(version: 2))
        },
        Change("a renamed column", refused: ["view NAME_reports.titles", "constraint is_long"]) {
            let columns = book.columns.map {
                $0.name == "isbn" ? Column(name: "number", type: .text, isNullable: true) : $0
            }
            let new = book(columns, hints: SchemaHints(formerMembers: ["number": ["isbn"]]))
            return try SchemaSet([new, tag, draft], evolution: SchemaEvolution(version: 2))
        },
        Change("a removed column", refused: ["view NAME_reports.titles", "constraint is_long", "DROP VIEW"]) {
            let columns = book.columns.filter { $0.name != "isbn" }
            let new = book(columns, indexes: [], hints: SchemaHints(dropped: ["isbn"]))
            return try SchemaSet([new, tag, draft], evolution: SchemaEvolution(version: 2))
        },
        Change("a removed entity", refused: ["materialized view NAME.drafts", "rule loud on table NAME.draft"]) {
            try SchemaSet([book, tag], evolution: SchemaEvolution(version: 2, dropped: ["draft"]))
        },
        Change("a nullable column") {
            let columns = book.columns.map {
                $0.name == "pages" ? Column(name: "pages", type: .integer, isNullable: true) : $0
            }
            return try SchemaSet([book(columns), tag, draft], evolution: SchemaEvolution(version: 2))
        },
        Change("a step") {
            try SchemaSet(
                [book(adding: [sheets]), tag, draft], evolution: step("double", adding: [sheets], removing: []))
        },
        Change("a step that removes a column", refused: ["trigger audit", "statistics object NAME.by_both"]) {
            let columns = book.columns.filter { $0.name != "pages" } + [sheets]
            return try SchemaSet(
                [book(columns), tag, draft], evolution: step("move", adding: [sheets], removing: ["pages"]))
        },
        Change("a step that converts a column", refused: ["trigger audit", "statistics object NAME.by_both"]) {
            let real = Column(name: "pages", type: .text, isNullable: true)
            let columns = book.columns.map { $0.name == "pages" ? real : $0 }
            return try SchemaSet(
                [book(columns), tag, draft], evolution: step("convert", adding: [real], removing: ["pages"]))
        },
    ]

    @Test(arguments: changes) func `a migration keeps what belongs to others`(_ change: Change) async throws {
        let neighbor = try await Neighbor(change.name, attaching: false)
        let (dump, attachments) = (try await neighbor.dump(), try await neighbor.attachments())
        try await migrate(neighbor, change.schemas())
        #expect(try await neighbor.dump() == dump)
        let renamed = change.testDescription == "a renamed entity"
        if !renamed { #expect(try await neighbor.attachments() == attachments) }
        try await expectOpen(neighbor, change.schemas())
        await neighbor.remove()
    }

    @Test(arguments: changes) func `a migration that would drop or change what others have attached is refused`(
        _ change: Change
    ) async throws {
        let neighbor = try await Neighbor(change.name + "_2", attaching: true)
        let (dump, attachments) = (try await neighbor.dump(), try await neighbor.attachments())
        if change.refused.isEmpty {
            try await migrate(neighbor, change.schemas())
            try await expectOpen(neighbor, change.schemas())
        } else {
            let error = await #expect(throws: PersistencyError.self) { try await migrate(neighbor, change.schemas()) }
            guard case .incompatible(let reason)? = error else { Issue.record("\(error as Any)"); return }
            for text in change.refused.map({ $0.replacing("NAME", with: neighbor.name) }) {
                #expect(reason.contains(text), "no '\(text)': \(reason)")
            }
            try await expectOpen(neighbor, SchemaSet(Neighbor.old))
        }
        #expect(try await neighbor.dump() == dump)
        #expect(try await neighbor.attachments() == attachments)
        await neighbor.remove()
    }

    @Test func `the statements of a refusal make the migration possible, and restore the objects`() async throws {
        let change = try #require(Self.changes.first { $0.testDescription == "a step that removes a column" })
        let neighbor = try await Neighbor("neighbor_statements", attaching: true)
        let error = await #expect(throws: PersistencyError.self) { try await migrate(neighbor, change.schemas()) }
        guard case .incompatible(let reason)? = error else { Issue.record("\(error as Any)"); return }
        let parts = reason.split(separator: "After:")
        let before = try #require(parts.first?.split(separator: "Before:").last)
        try await Scratch.connection(neighbor.name).run(String(before))
        try await migrate(neighbor, change.schemas())
        try await expectOpen(neighbor, change.schemas())
        let after = try #require(parts.last).replacing("pages", with: "sheets")
        try await Scratch.connection(neighbor.name).run(String(after))
        await neighbor.remove()
    }

    @Test func `tables and indexes of others with the names of new ones are refused`() async throws {
        let neighbor = try await Neighbor("neighbor_names", attaching: false)
        let connection = try await Scratch.connection(neighbor.name)
        try await connection.run("CREATE TABLE topic (a int)", "CREATE INDEX book_index_title ON loan (id)")
        let dump = try await neighbor.dump()
        let topic = EntitySchema(name: "topic", columns: [])
        for (schemas, name) in [
            ([Self.book, Self.tag, Self.draft, topic], "topic"),
            ([Self.book(indexes: [[1], [0, 1]]), Self.tag, Self.draft], "book_index_title_isbn"),
        ] {
            if name != "topic" { try await connection.run("CREATE INDEX \(name) ON loan (id, shelf)") }
            let error = await #expect(throws: PersistencyError.self) { try await migrate(neighbor, SchemaSet(schemas)) }
            guard case .incompatible(let reason)? = error else { Issue.record("\(error as Any)"); return }
            #expect(reason.contains("\(name) belongs to another program"))
        }
        try await connection.run("DROP INDEX book_index_title_isbn")
        #expect(try await neighbor.dump() == dump)
        await neighbor.remove()
    }

    @Test func `a restore keeps what belongs to others, or is refused`() async throws {
        let neighbor = try await Neighbor("neighbor_restored", attaching: true)
        let (dump, attachments) = (try await neighbor.dump(), try await neighbor.attachments())
        let schemas = try SchemaSet(Neighbor.old)
        let files = try BackupBench()
        let configuration = try await Scratch.configuration(neighbor.name)
        let store = try await PostgresStore.open(configuration, schemas: schemas)
        let backup = try await Backup.write(store, to: files.path("b"))
        await store.close()
        func restore() async throws -> [EntityDigest] {
            try await PostgresStore.restore(files.path("b"), to: configuration, schemas: schemas, replacing: true)
                .entities
        }
        let error = await #expect(throws: PersistencyError.self) { try await restore() }
        guard case .incompatible(let reason)? = error else { Issue.record("\(error as Any)"); return }
        #expect(reason.contains("constraint loan_book_fkey") && !reason.contains("trigger audit"))
        #expect(try await neighbor.dump() == dump)
        try await Scratch.connection(neighbor.name).run("ALTER TABLE loan DROP CONSTRAINT loan_book_fkey")
        #expect(try await restore() == backup.entities)
        #expect(try await neighbor.attachments() == attachments)
        try await expectOpen(neighbor, schemas)
        await neighbor.remove()
    }

    private func migrate(_ neighbor: Neighbor, _ schemas: SchemaSet) async throws {
        var configuration = try await Scratch.configuration(neighbor.name)
        configuration.migration = MigrationOptions(mode: .all)
        await (try PostgresStore.open(configuration, schemas: schemas)).close()
    }

    /// Expects that a role without ownership opens the store, and that its rows have remained.
    private func expectOpen(_ neighbor: Neighbor, _ schemas: SchemaSet) async throws {
        let connection = try await TestServer.shared.value.connection(user: neighbor.runtime)
        let store = try await PostgresStore.open(.init(connection, schema: neighbor.name), schemas: schemas)
        let book = try #require(schemas["book"] ?? schemas["work"])
        let stored = try await store.read(ReadRequest(book, content: .complete)).items
        #expect(stored.count >= 299)
        #expect(stored.allSatisfy { $0.version == 1 && $0.children[0].count == 1 && $0.links[0].count == 1 })
        if let index = book.index(ofColumn: "sheets") {
            let old = book.index(ofColumn: "pages")
            #expect(stored.allSatisfy { old == nil || $0.values[old ?? 0] != .null })
            #expect(stored.contains { $0.values[index] == .integer(600) })
        }
        await store.close()
    }
}
#endif
