#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

@Suite(.postgres)
struct PostgresMigrationTests {
    @Test func `additions are applied on opening, and programs of both versions write`() async throws {
        let name = "additions"
        let old = EntitySchema(name: "note", columns: [Column(name: "text", type: .text)])
        let new = EntitySchema(
            name: "note",
            columns: [
                Column(name: "text", type: .text), Column(name: "rank", type: .integer, defaultValue: .integer(7)),
                Column(
                    name: "topic_id", type: .id, isNullable: true,
                    reference: Reference(target: "topic", onDelete: .remove)),
            ], links: [LinkRelationship(name: "topics", target: "topic", onDelete: .remove)],
            indexes: [[1]])
        let topic = EntitySchema(name: "topic", columns: [Column(name: "name", type: .text)])
        let first = try await Scratch.open(SchemaSet([old]), name)
        let note = StorageObject(schema: old, id: RawID(high: 1, low: 1), values: [.text("a")])
        _ = try await first.commit(ChangeSet(inserts: [note]))
        let second = try await Scratch.open(SchemaSet([new, topic]), name)
        let read = try await second.read(note.id, of: new)
        #expect(read?.values == [.text("a"), .integer(7), .null])
        #expect(read?.version == 1)
        // The earlier version of the program does not know the new members.
        let later = StorageObject(schema: old, id: RawID(high: 1, low: 2), values: [.text("b")])
        _ = try await first.commit(ChangeSet(inserts: [later]))
        #expect(try await second.read(later.id, of: new)?.values[1] == .integer(7))
        let missing = StorageObject(
            schema: new, id: RawID(high: 1, low: 3), values: [.text("c"), .integer(1), .id(RawID(high: 9, low: 9))],
            links: [[]])
        await #expect(throws: PersistencyError.self) { try await second.commit(ChangeSet(inserts: [missing])) }
        for store in [first, second] { await store.close() }
        await Scratch.drop(name)
    }

    @Test func `renames and removals are applied if the options permit them`() async throws {
        let name = "renames"
        let author = EntitySchema(name: "author", columns: [Column(name: "name", type: .text)])
        func reference(_ name: String) -> Column {
            Column(name: name, type: .id, isNullable: true, reference: Reference(target: "author", onDelete: .remove))
        }
        let old = EntitySchema(
            name: "book",
            columns: [Column(name: "title", type: .text), reference("author_id"), Column(name: "x", type: .real)],
            links: [LinkRelationship(name: "editors", target: "author", onDelete: .remove)], indexes: [[0]])
        let new = EntitySchema(
            name: "work", columns: [Column(name: "heading", type: .text, isNullable: true), reference("writer_id")],
            links: [LinkRelationship(name: "editors", target: "author", onDelete: .remove)], indexes: [[0]],
            hints: SchemaHints(
                formerNames: ["book"], formerMembers: ["heading": ["title"], "writer_id": ["author_id"]], dropped: ["x"]
            ))
        let store = try await Scratch.open(SchemaSet([old, author]), name)
        let ada = StorageObject(schema: author, id: RawID(high: 1, low: 1), values: [.text("Ada")])
        let book = StorageObject(
            schema: old, id: RawID(high: 1, low: 2), values: [.text("a"), .id(ada.id), .real(1)], links: [[ada.id]])
        let start = try await store.commit(ChangeSet(inserts: [ada, book])).token
        await store.close()
        let schemas = try SchemaSet([new, author], evolution: SchemaEvolution(version: 2))
        var configuration = try await Scratch.configuration(name)
        let refusal = await #expect(throws: PersistencyError.self) {
            try await PostgresStore.open(configuration, schemas: schemas)
        }
        guard case .incompatible(let reason)? = refusal else { Issue.record("\(refusal as Any)"); return }
        #expect(reason.contains("rename book to work"))
        let status = try await PostgresStore.schemaStatus(configuration, schemas: schemas)
        #expect(status.version == 1 && !status.isAdditive && status.changes.contains("rename book to work"))
        configuration.migration = MigrationOptions(mode: .all)
        let migrated = try await PostgresStore.open(configuration, schemas: schemas)
        let read = try await migrated.read(book.id, of: new)
        #expect(read?.values == [.text("a"), .id(ada.id)])
        #expect(read?.links == [[ada.id]])
        // Foreign keys and the journal know the new names.
        let deletion = ChangeSet(deletes: [RootExpectation(EntityKey(author, ada.id), version: 1)])
        let error = await #expect(throws: PersistencyError.self) { try await migrated.commit(deletion) }
        guard case .dangling(let dangling)? = error else { Issue.record("\(error as Any)"); return }
        #expect(dangling.entity == "work" && ["writer_id", "editors"].contains(dangling.column))
        let events = await migrated.changes(after: start).prefix(1).reduce(into: [ChangeEvent]()) { $0.append($1) }
        guard case .gap? = events.first else { Issue.record("\(events)"); return }
        await migrated.close()
        let older = await #expect(throws: PersistencyError.self) {
            try await PostgresStore.open(configuration, schemas: SchemaSet([old, author]))
        }
        guard case .incompatible? = older else { Issue.record("\(older as Any)"); return }
        await Scratch.drop(name)
    }

    @Test func `steps change roots and owned objects, and insert others`() async throws {
        let name = "steps"
        let text = Column(name: "text", type: .text)
        let word = EntitySchema(name: "word", columns: [text], uniques: [[0]])
        func part(_ columns: [Column]) -> EntitySchema { EntitySchema(name: "part", columns: columns) }
        func book(_ title: Column, _ part: EntitySchema, _ hints: SchemaHints = SchemaHints()) -> EntitySchema {
            EntitySchema(
                name: "book",
                columns: [
                    title,
                    Column(
                        name: "next_id", type: .id, isNullable: true,
                        reference: Reference(target: "book", onDelete: .remove)),
                ], children: [ChildRelationship(name: "parts", schema: part)],
                links: [LinkRelationship(name: "others", target: "book", onDelete: .remove)])
        }
        let pages = Column(name: "pages", type: .integer)
        let old = book(Column(name: "title", type: .text), part([text]))
        let new = book(pages, part([text, Column(name: "length", type: .integer)]))
        let count = MigrationStep(
            "count", version: 2, entity: "book", reading: [Column(name: "title", type: .text)],
            adding: [.column(pages)],
            removing: ["title"]
        ) { book, context in
            var new = context.reshaped(book)
            try new.set("pages", .integer(Int64(try book.text("title").utf8.count)))
            return try book.text("title") == "gone" ? nil : new
        }
        let words = MigrationStep(
            "words", version: 2, entity: "part", reading: [text],
            adding: [.column(Column(name: "length", type: .integer))], creating: [word]
        ) { part, context in
            var new = context.reshaped(part)
            let text = try part.text("text")
            try new.set("length", .integer(Int64(text.utf8.count)))
            if try context.id(of: "word", where: ["text": .text(text)]) == nil {
                try context.insert(context.newObject(of: "word", ["text": .text(text)]))
            }
            return new
        }
        let store = try await Scratch.open(SchemaSet([old]), name)
        func id(_ number: UInt64) -> RawID { RawID(high: number, low: 1) }
        func parts(_ number: UInt64, _ schema: EntitySchema) -> [StorageObject] {
            (0..<3).map { index in
                StorageObject(schema: schema, id: id(number * 10 + index), values: [.text(index == 0 ? "a" : "bc")])
            }
        }
        let books = (1...600).map { number in
            StorageObject(
                schema: old, id: id(number), values: [.text(number == 7 ? "gone" : "t\(number)"), .id(id(1))],
                children: [parts(number + 1000, old.children[0].schema)], links: [[id(1), id(2)]])
        }
        _ = try await store.commit(ChangeSet(inserts: books))
        await store.close()
        var configuration = try await Scratch.configuration(name)
        configuration.migration = MigrationOptions(mode: .all)
        let evolution = SchemaEvolution(version: 2, steps: [count, words])
        let schemas = try SchemaSet([new, word], evolution: evolution)
        let migrated = try await PostgresStore.open(configuration, schemas: schemas)
        let read = try await migrated.read(ReadRequest(new, content: .complete)).items
        #expect(read.count == 599)
        let first = try #require(read.first)
        #expect(first.values == [.integer(2), .id(id(1))] && first.version == 1 && first.links == [[id(1), id(2)]])
        #expect(
            first.children[0].map(\.values) == [
                [.text("a"), .integer(1)], [.text("bc"), .integer(2)], [.text("bc"), .integer(2)],
            ])
        #expect(try await migrated.read(ReadRequest(word)).items.count == 2)
        // Foreign keys and unique groups are in force again.
        let deletion = ChangeSet(deletes: [RootExpectation(EntityKey(new, id(1)), version: 1)])
        await #expect(throws: PersistencyError.self) { try await migrated.commit(deletion) }
        let same = StorageObject(schema: word, id: id(5000), values: [.text("a")])
        await #expect(throws: PersistencyError.self) { try await migrated.commit(ChangeSet(inserts: [same])) }
        await migrated.close()
        let again = try await PostgresStore.open(configuration, schemas: schemas)
        await again.close()
        await Scratch.drop(name)
    }

    @Test func `the journal is bounded, and a stream from before its start begins with a gap`() async throws {
        let name = "bounds"
        let store = try await Scratch.open(SchemaSet([Sample.note]), name)
        var made: [ChangeToken] = []
        for number in 0..<20 {
            made.append(try await store.commit(ChangeSet(inserts: [Sample.note("\(number)")])).token)
        }
        let tokens = made
        try await store.pool.run { connection, _ throws(PersistencyError) in
            let journal = PostgresJournal(connection: connection)
            try journal.prune(to: JournalBounds(changes: 5), settled: .max, read: tokens[7].position)
        }
        var unread = await store.changes(after: tokens[7]).makeAsyncIterator()
        #expect(await unread.next()?.token == tokens[8])
        try await store.pool.run { connection, _ throws(PersistencyError) in
            try PostgresJournal(connection: connection).prune(to: JournalBounds(changes: 5), settled: .max)
        }
        let stream = await store.changes(after: tokens[0])
        let events = await stream.prefix(6).reduce(into: [ChangeEvent]()) { $0.append($1) }
        #expect(events.first == .gap(tokens[14]))
        #expect(events.dropFirst().map(\.token) == Array(tokens[15...]))
        await store.close()
        await Scratch.drop(name)
    }

    @Test(.timeLimit(.minutes(2))) func `commits remove old ones from the journal`() async throws {
        let name = "removals"
        try await Scratch.run("CREATE SCHEMA \"\(name)\"")
        var configuration = try await Scratch.configuration(name)
        configuration.journal = JournalBounds(changes: 4_000)
        let store = try await PostgresStore.open(configuration, schemas: SchemaSet([Sample.note]))
        // A removal follows each eighth of the bound, and keeps what the bound permits.
        for batch in 0..<10 {
            let notes = (0..<501).map { Sample.note("\(batch) \($0)") }
            _ = try await store.commit(ChangeSet(inserts: notes))
        }
        var removed: Int64 = 0
        while removed == 0 {
            removed = try await store.pool.run { connection, _ throws(PersistencyError) in
                let rows = try connection.run("SELECT size FROM larder_journal WHERE position = 0")
                return rows.advance() ? rows.integer(0) : 0
            }
        }
        #expect(removed <= 2)
        await store.close()
        await Scratch.drop(name)
    }
}
#endif
