import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Accepted and refused commits, on a file at each durability and in memory.
@Suite(.serialized) struct SQLiteCommitTests {
    let scratch = Scratch()
    let second = Scratch()

    func stores() async throws -> [SQLiteStore] {
        return [
            try await scratch.open(.normal),
            try await second.open(.full),
            try await SQLiteStore.open(.init(.memory), schemas: Sample.schemas()),
        ]
    }

    @Test func `an aggregate is read back unchanged`() async throws {
        for store in try await stores() {
            let book = Sample.book(
                10, "Ω \"quoted\" 'text'", year: 1999, code: "x",
                pages: [
                    Sample.page(20, "one", notes: [Sample.note(30, "a"), Sample.note(31, "")], tags: [2, 1]),
                    Sample.page(21, "two"),
                ], tags: [2, 1, 2], sequels: [10])
            try await store.insert(Sample.tag(1, "a"), Sample.tag(2, "b"), book)
            let stored = try #require(try await store.read(book.id, of: Sample.book))
            #expect(stored == book)
            #expect(stored.version == 1)
            #expect(try await store.read([Sample.id(1), Sample.id(99), Sample.id(1)], of: Sample.tag).count == 1)
        }
    }

    @Test func `an update writes the differences at every depth, and raises the version by one`() async throws {
        for store in try await stores() {
            try await store.insert(
                Sample.tag(1, "a"), Sample.tag(2, "b"), Sample.tag(3, "c"),
                Sample.book(
                    10, pages: [Sample.page(20, "one", notes: [Sample.note(30, "n")]), Sample.page(21, "two")],
                    tags: [1, 2, 3]))
            let wanted = Sample.book(
                10, "New", year: .max,
                pages: [
                    Sample.page(22, "zero"), Sample.page(21, "two", notes: [Sample.note(32, "m")], tags: [3]),
                ], tags: [3, 2])
            try await store.replace(wanted)
            let stored = try #require(try await store.read(wanted.id, of: Sample.book))
            #expect(stored == wanted)
            #expect(stored.version == 2)
        }
    }

    @Test func `a delete takes all that is owned with it`() async throws {
        for store in try await stores() {
            let book = Sample.book(
                10, pages: [Sample.page(20, "one", notes: [Sample.note(30, "n")], tags: [1])], tags: [1])
            try await store.insert(Sample.tag(1, "a"), book)
            _ = try await store.commit(ChangeSet(deletes: [book.expecting(1)]))
            #expect(try await store.read(book.id, of: Sample.book) == nil)
            // The owned ids are free again.
            try await store.insert(book)
        }
    }

    @Test func `a version that is another is a conflict, and nothing is written`() async throws {
        for store in try await stores() {
            let (tag, book) = (Sample.tag(1, "a"), Sample.book(10))
            try await store.insert(tag, book)
            let new = Sample.tag(2, "b")
            var wanted = book
            wanted.values[0] = .text("Other")
            let changes = ObjectChanges(from: book, to: wanted)
            let key = EntityKey(Sample.book, book.id)
            func summary(_ changes: ChangeSet) async -> String? {
                await failure { () async throws(PersistencyError) in _ = try await store.commit(changes) }?.summary
            }
            #expect(await summary(ChangeSet(inserts: [new], reads: [tag.expecting(2)])) == "conflict tag 1 2 1")
            #expect(await summary(ChangeSet(inserts: [new], reads: [tag.expecting(nil)])) == "conflict tag 1 nil 1")
            #expect(await summary(ChangeSet(reads: [Sample.tag(9, "").expecting(1)])) == "conflict tag 9 1 nil")
            let late = RootUpdate(key, expected: 7, changes: changes)
            #expect(await summary(ChangeSet(inserts: [new], updates: [late])) == "conflict book 10 7 1")
            let touched = RootUpdate(key, expected: 7, changes: ObjectChanges())
            #expect(await summary(ChangeSet(inserts: [new], updates: [touched])) == "conflict book 10 7 1")
            #expect(await summary(ChangeSet(inserts: [new], deletes: [book.expecting(2)])) == "conflict book 10 2 1")
            let greatest = RootUpdate(key, expected: .max, changes: changes)
            #expect(await summary(ChangeSet(updates: [greatest])) == "conflict book 10 \(Int64.max) 1")
            // Conflicts are reported before duplicates.
            #expect(await summary(ChangeSet(inserts: [tag], deletes: [book.expecting(2)])) == "conflict book 10 2 1")
            #expect(try await store.read([new.id], of: Sample.tag).isEmpty)
            #expect(try await store.read(book.id, of: Sample.book) == book)
        }
    }

    @Test func `an id that is there is a duplicate of id`() async throws {
        for store in try await stores() {
            try await store.insert(Sample.tag(1, "a"), Sample.book(10, pages: [Sample.page(20, "p")]))
            let root = await failure { () async throws(PersistencyError) in
                try await store.insert(Sample.tag(2, "b"), Sample.tag(1, "c"))
            }
            #expect(root?.summary == "duplicate tag id 1")
            let owned = await failure { () async throws(PersistencyError) in
                try await store.insert(Sample.book(11, pages: [Sample.page(20, "p")]))
            }
            #expect(owned?.summary == "duplicate page id 20")
            #expect(try await store.read(Sample.id(2), of: Sample.tag) == nil)
        }
    }

    @Test func `unique values are judged by the state that a change set leaves, so that two can swap`() async throws {
        for store in try await stores() {
            let (first, second) = (Sample.tag(1, "a"), Sample.tag(2, "b"))
            try await store.insert(first, second, Sample.book(10), Sample.book(11))
            let swap = ChangeSet(updates: [
                RootUpdate(
                    EntityKey(first.schema, first.id), expected: 1, changes: .init(from: first, to: Sample.tag(1, "b"))),
                RootUpdate(
                    EntityKey(first.schema, second.id), expected: 1,
                    changes: .init(from: second, to: Sample.tag(2, "a"))),
            ])
            _ = try await store.commit(swap)
            #expect(try await store.read(first.id, of: Sample.tag)?.values == [.text("b")])
            let taken = await failure { () async throws(PersistencyError) in try await store.insert(Sample.tag(3, "a"))
            }
            #expect(taken?.summary == "duplicate tag name 2")
            let updated = await failure { () async throws(PersistencyError) in
                try await store.replace(Sample.tag(1, "a"))
            }
            #expect(updated?.summary == "duplicate tag name 2")
            let both = await failure { () async throws(PersistencyError) in
                try await store.insert(Sample.tag(4, "x"), Sample.tag(5, "x"))
            }
            #expect(both?.summary == "duplicate tag name 4")
        }
    }

    @Test func `a reference to a missing root is dangling, wherever it is`() async throws {
        for store in try await stores() {
            func summary(_ object: StorageObject) async -> String? {
                await failure { () async throws(PersistencyError) in try await store.insert(object) }?.summary
            }
            #expect(await summary(Sample.book(10, cover: 5)) == "dangling book.cover 5")
            #expect(await summary(Sample.book(10, tags: [6])) == "dangling book.tags 6")
            #expect(await summary(Sample.book(10, pages: [Sample.page(20, "", tags: [7])])) == "dangling page.tags 7")
            #expect(try await store.read(Sample.id(10), of: Sample.book) == nil)
            try await store.insert(Sample.book(10, pages: [Sample.page(20, "")]))
            let update = await failure { () async throws(PersistencyError) in
                try await store.replace(Sample.book(10, pages: [Sample.page(20, "", tags: [8])]))
            }
            #expect(update?.summary == "dangling page.tags 8")
            // The same change set may contain the targets, in any order.
            try await store.insert(Sample.book(11, tags: [9]), Sample.tag(9, "t"))
        }
    }

    @Test func `a root that is still referred to cannot be deleted`() async throws {
        for store in try await stores() {
            let tag = Sample.tag(1, "a")
            let book = Sample.book(10, pages: [Sample.page(20, "", tags: [1])])
            try await store.insert(tag, book)
            let error = await failure { () async throws(PersistencyError) in
                _ = try await store.commit(ChangeSet(deletes: [tag.expecting(1)]))
            }
            #expect(error?.summary == "dangling page.tags 1")
            _ = try await store.commit(ChangeSet(deletes: [tag.expecting(1), book.expecting(1)]))
            #expect(try await store.read(tag.id, of: Sample.tag) == nil)
        }
    }

    @Test func `values that do not fit are refused by name`() async throws {
        let store = try await scratch.open()
        func summary(_ object: StorageObject) async -> String? {
            await failure { () async throws(PersistencyError) in try await store.insert(object) }?.summary
        }
        var tag = Sample.tag(1, "a")
        tag.values = [.null]
        #expect(await summary(tag) == "invalid tag.name is missing")
        tag.values = [.integer(1)]
        #expect(await summary(tag) == "invalid tag.name is not of type text")
        tag.values = []
        #expect(await summary(tag) == "invalid tag.? has members that are not declared")
        let stranger = EntitySchema(name: "stranger", columns: [])
        #expect(await summary(StorageObject(schema: stranger, id: Sample.id(1), values: [])) == "unknown stranger")
    }

    @Test func `a change set that writes nothing is judged, and not published`() async throws {
        for store in try await stores() {
            let tag = Sample.tag(1, "a")
            let first = try await store.insert(tag)
            var heard = await store.changes().makeAsyncIterator()
            let rows = await store.measurements().rowsWritten
            let receipt = try await store.commit(ChangeSet(reads: [tag.expecting(1)]))
            #expect(receipt == first)
            #expect(await store.measurements().rowsWritten == rows)
            let second = try await store.insert(Sample.tag(2, "b"))
            #expect(await heard.next()?.sequence == second.sequence)
        }
    }
}
