import CLarderSQLite
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure
@testable import LarderStoreContract

/// A save of unchanged data, observed from outside.
@Suite(.serialized) struct UnchangedSaveTests {
    let scratch = Scratch()

    /// A library in a file, with an observing connection.
    private func open() async throws -> Trial {
        let path = scratch.path
        return try await Trial.begin(
            StoreFixture("sqlite") { schemas, _ in
                try await SQLiteStore.open(.init(.file(path), durability: .full), schemas: schemas)
            }, scratch: "")
    }

    /// A library with everything: books with chapters and notes, covers, authors, genres, shelves, reviews.
    private func filled(_ trial: Trial) async throws -> Bookshop {
        let shop = try await trial.bookshop(count: 40)
        try await trial.manager.create(Shelf(trial.id(), room: "kitchen", books: shop.books.prefix(9).map(\.id)))
        var book = shop.books[0]
        let cover = Picture(trial.id(), [1, 2, 3])
        try await trial.manager.create(cover)
        book.cover = cover.id
        try await trial.manager.save(book)
        return shop
    }

    /// Saves everything: one by one, and in one transaction.
    private func saveAll(_ manager: any PersistencyManager) async throws {
        func save(_ manager: any PersistencyManager) async throws {
            try await unchanged(manager.read(Query<Book>()).entities, manager)
            try await unchanged(manager.read(Query<Author>()).entities, manager)
            try await unchanged(manager.read(Query<Genre>()).entities, manager)
            try await unchanged(manager.read(Query<Shelf>()).entities, manager)
            try await unchanged(manager.read(Query<Picture>()).entities, manager)
        }
        try await save(manager)
        try await manager.transaction { try await save($0) }
    }

    private func unchanged<E: Entity>(_ entities: [E], _ manager: any PersistencyManager) async throws {
        #expect(!entities.isEmpty)
        for entity in entities {
            let outcome = try await manager.save(entity).outcome
            #expect(outcome == .unchanged)
        }
    }

    /// The values that an unchanged save must not change.
    private struct Traces: Equatable {
        let files: FileFootprint
        /// As seen by another connection.
        let dataVersion: Int64
        /// The total number of rows that the writing connection has changed.
        let totalChanges: Int64
        let measured: [Int?]
    }

    private func traces(_ store: any Store, _ observer: SQLiteConnection) async throws -> Traces {
        let sqlite = try #require(store as? SQLiteStore)
        let total = try #require(sqlite.writer).read { connection throws(PersistencyError) in
            connection.rowsWritten
        }
        let measured = await sqlite.measurements()
        return Traces(
            files: try FileFootprint(scratch.path), dataVersion: try observer.integer("PRAGMA data_version"),
            totalChanges: total, measured: [measured.rowsWritten, measured.bytesWritten])
    }

    @Test func `an unchanged save of a whole graph writes no frame, no row and no byte`() async throws {
        let trial = try await open()
        _ = try await filled(trial)
        let observer = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READONLY)
        let before = try await traces(trial.store, observer)
        #expect(before.files.logBytes > 0)
        try await saveAll(trial.manager)
        #expect(try await traces(trial.store, observer) == before)
        await trial.store.close()
    }

    @Test func `across reopening an unchanged save leaves the file's bytes and its time`() async throws {
        let trial = try await open()
        _ = try await filled(trial)
        await trial.store.close()
        let before = try FileFootprint(scratch.path)
        for _ in 0..<2 {
            let again = try await open()
            try await saveAll(again.manager)
            await again.store.close()
            #expect(try FileFootprint(scratch.path) == before)
        }
    }

    @Test func `a store that writes equal values is noticed by each witness`() async throws {
        let trial = try await open()
        let book = try #require(try await filled(trial).books.last)
        let observer = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READONLY)
        let before = try await traces(trial.store, observer)
        var changes = ObjectChanges()
        changes.columns = [ColumnChange(column: 0, value: .text(book.title))]
        let version = try #require(try await trial.manager.read(book.id)).version
        let update = RootUpdate(EntityKey(BookMapper.schema, book.id.rawValue), expected: version, changes: changes)
        _ = try await trial.store.commit(ChangeSet(updates: [update]))
        let after = try await traces(trial.store, observer)
        #expect(after.files != before.files)
        #expect(after.dataVersion != before.dataVersion)
        // A row, and one in the journal.
        #expect(after.totalChanges == before.totalChanges + 2)
        #expect(after.measured[0] != before.measured[0] && after.measured[1] != before.measured[1])
        await trial.store.close()
        #expect(try FileFootprint(scratch.path) != before.files)
    }
}
