import CLarderSQLite
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Creation, additions, and refusals at opening.
@Suite(.serialized) struct SQLiteOpeningTests {
    let scratch = Scratch()

    func summary(_ schemas: SchemaSet? = nil, access: SQLiteStore.Access = .readWrite) async -> String? {
        do {
            let store = try await scratch.open(access: access, schemas: schemas)
            await store.close()
            return nil
        } catch let error as PersistencyError {
            return error.summary
        } catch {
            return "\(error)"
        }
    }

    /// A schema `thing` that refers to `other`.
    func schemas(
        _ columns: [Column], children: [ChildRelationship] = [], links: [LinkRelationship] = [], uniques: [[Int]] = [],
        indexes: [[Int]] = []
    ) throws -> SchemaSet {
        try SchemaSet([
            EntitySchema(
                name: "thing", columns: columns, children: children, links: links, uniques: uniques, indexes: indexes),
            EntitySchema(name: "other", columns: []),
        ])
    }

    func thing(_ schemas: SchemaSet, _ values: [Value]) -> StorageObject {
        let schema = schemas.roots[0]
        return StorageObject(
            schema: schema, id: Sample.id(values.count), values: values, children: schema.children.map { _ in [] },
            links: schema.links.map { _ in [] })
    }

    let name = Column(name: "name", type: .text)

    @Test func `files are made for the owner alone, with the folders above them`() async throws {
        let store = try await SQLiteStore.open(
            .init(.file(scratch.folder + "/a/b/db.sqlite")), schemas: Sample.schemas())
        try await store.insert(Sample.tag(1, "a"))
        func mode(_ path: String) -> UInt32 {
            var status = stat()
            _ = unsafe stat(scratch.folder + path, &status)
            return status.st_mode & 0o777
        }
        for folder in ["", "/a", "/a/b"] { #expect(mode(folder) == 0o700) }
        for suffix in ["", "-wal", "-shm", ".lock"] { #expect(mode("/a/b/db.sqlite" + suffix) == 0o600) }
        await store.close()
    }

    @Test func `a second writer that does not wait is kept out at once, and told by whom`() async throws {
        let store = try await scratch.open()
        let link = scratch.folder + "/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scratch.path)
        for path in [scratch.path, link] {
            do {
                _ = try await SQLiteStore.open(
                    .init(.file(path), busyTimeout: .zero), schemas: Sample.schemas())
                Issue.record("opened twice")
            } catch PersistencyError.alreadyOpen(let holder) {
                #expect(holder.hasPrefix("pid \(ProcessInfo.processInfo.processIdentifier) host "))
            }
        }
        await store.close()
        #expect(await summary() == nil)
    }

    @Test func `links to a file that is yet to be made lead to its one lock`() async throws {
        let folder = scratch.folder + "/real"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (link, target) in [("a.sqlite", "b.sqlite"), ("b.sqlite", "real/c.sqlite"), ("loop", "loop")] {
            try FileManager.default.createSymbolicLink(
                atPath: scratch.folder + "/" + link, withDestinationPath: target)
        }
        let schemas = try Sample.schemas()
        let store = try await SQLiteStore.open(.init(.file(scratch.folder + "/a.sqlite")), schemas: schemas)
        for path in ["/a.sqlite", "/b.sqlite", "/real/c.sqlite"] {
            let error = await failure { () async throws(PersistencyError) in
                _ = try await SQLiteStore.open(
                    .init(.file(scratch.folder + path), busyTimeout: .zero), schemas: schemas)
            }
            #expect(error?.summary == "alreadyOpen", "\(path)")
        }
        #expect(FileManager.default.fileExists(atPath: folder + "/c.sqlite.lock"))
        await store.close()
        let error = await failure { () async throws(PersistencyError) in
            _ = try await SQLiteStore.open(.init(.file(scratch.folder + "/loop")), schemas: schemas)
        }
        #expect(error?.summary == "unavailable failed")
    }

    @Test func `additions are applied, and rows that are there get their values`() async throws {
        let first = try schemas([name])
        let old = try await scratch.open(schemas: first)
        _ = try await old.commit(ChangeSet(inserts: [thing(first, [.text("a")])]))
        await old.close()
        let part = EntitySchema(name: "part", columns: [name])
        let second = try schemas(
            [
                name, Column(name: "note", type: .text, isNullable: true),
                Column(name: "count", type: .integer, defaultValue: .integer(-3)),
                Column(name: "word", type: .text, defaultValue: .text("it's")),
                Column(name: "share", type: .real, defaultValue: .real(0.1 + 0.2)),
                Column(name: "bytes", type: .id, defaultValue: .id(Sample.id(7))),
                Column(
                    name: "other", type: .id, isNullable: true, reference: Reference(target: "other", onDelete: .remove)
                ),
                Column(name: "code", type: .text, isNullable: true),
            ], children: [ChildRelationship(name: "parts", schema: part)],
            links: [LinkRelationship(name: "others", target: "other", onDelete: .remove)], uniques: [[7]],
            indexes: [[0], [2]])
        let new = try await scratch.open(schemas: second)
        let read = try await new.read(Sample.id(1), of: second.roots[0])
        #expect(
            read?.values == [
                .text("a"), .null, .integer(-3), .text("it's"), .real(0.1 + 0.2), .id(Sample.id(7)), .null, .null,
            ])
        _ = try await new.commit(
            ChangeSet(deletes: [RootExpectation(EntityKey(second.roots[0], Sample.id(1)), version: 1)]))
        await new.close()
        // The first schema does not declare the added columns.
        #expect(await summary(first) == "incompatible")
        #expect(await summary(second) == nil)
    }

    @Test func `a change that is not an addition is refused, and the file is unchanged`() async throws {
        let id = Column(
            name: "other", type: .id, isNullable: true, reference: Reference(target: "other", onDelete: .remove))
        let first = try schemas([name, id])
        let store = try await scratch.open(schemas: first)
        _ = try await store.commit(ChangeSet(inserts: [thing(first, [.text("a"), .null])]))
        await store.close()
        let before = scratch.bytes()
        let refused = [
            try schemas([name]), try schemas([Column(name: "name", type: .text, isNullable: true), id]),
            try schemas([Column(name: "name", type: .blob), id]),
            try schemas([name, id, Column(name: "must", type: .integer)]),
            try schemas([name, id, Column(name: "folded", type: .text, isNullable: true, isDerived: true)]),
            try schemas([
                name,
                Column(
                    name: "other", type: .id, isNullable: true, reference: Reference(target: "other", onDelete: .refuse)
                ),
            ]),
            try SchemaSet([EntitySchema(name: "thing", columns: [name])]),
        ]
        for schemas in refused { #expect(await summary(schemas) == "incompatible") }
        #expect(scratch.bytes() == before)
        #expect(await summary(first) == nil)
    }

    @Test func `a foreign file is refused and stays as it is, byte for byte`() async throws {
        try FileManager.default.createDirectory(atPath: scratch.folder, withIntermediateDirectories: true)
        for text in ["x", "hello", String(repeating: "no database\n", count: 1000)] {
            _ = FileManager.default.createFile(atPath: scratch.path, contents: Data(text.utf8))
            for access in [SQLiteStore.Access.readWrite, .readOnly] {
                #expect(await summary(access: access) == "incompatible")
            }
            #expect(scratch.bytes() == Data(text.utf8))
        }
        try FileManager.default.removeItem(atPath: scratch.path)
        do {
            // The log has not been checkpointed.
            let other = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            try other.execute("PRAGMA journal_mode = WAL")
            try other.execute("CREATE TABLE tag (id)")
            let before = (scratch.bytes(), scratch.bytes("-wal"))
            #expect(await summary() == "incompatible")
            #expect(scratch.bytes() == before.0 && scratch.bytes("-wal") == before.1)
        }
        #expect(await summary() == "incompatible")
        #expect(await summary(access: .readOnly) == "incompatible")
    }

    @Test func `a newer format is refused`() async throws {
        #expect(await summary() == nil)
        try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE).execute(
            "PRAGMA user_version = \(SQLiteOpening.format + 1)")
        let before = scratch.bytes()
        #expect(await summary() == "incompatible")
        #expect(await summary(access: .readOnly) == "incompatible")
        #expect(scratch.bytes() == before)
    }

    @Test func `a record of the first format is read, and replaced when it is opened for writing`()
        async throws
    {
        #expect(await summary() == nil)
        let other = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
        let items = try Sample.schemas().items
        try other.execute("DROP TABLE larder_schema")
        try other.execute("CREATE TABLE larder_schema (entity TEXT, kind TEXT, name TEXT, declaration TEXT)")
        for item in items {
            try other.execute("INSERT INTO larder_schema VALUES ('\(item.textFields.joined(separator: "', '"))')")
        }
        try other.execute("PRAGMA user_version = 1")
        #expect(await summary(access: .readOnly) == nil)
        #expect(try other.integer("PRAGMA user_version") == 1)
        #expect(await summary() == nil)
        #expect(try other.integer("PRAGMA user_version") == SQLiteOpening.format)
        #expect(try other.integer("SELECT count(*) FROM larder_schema WHERE position >= 0") == items.count)
        try other.execute("UPDATE larder_schema SET kind = 'view' WHERE position = 3")
        #expect(await summary() == "incompatible")
    }

    @Test func `additions are not applied over references that are broken already`() async throws {
        #expect(await summary() == nil)
        let other = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
        try other.execute("INSERT INTO book_tags VALUES (x'01', 0, x'02')")
        let more = try SchemaSet(Sample.schemas().roots + [EntitySchema(name: "more", columns: [])])
        #expect(await summary(more) == "incompatible")
        #expect(await summary() == nil)
    }

    @Test func `a database that was only marked, by an earlier program that was killed, is finished`() async throws {
        try FileManager.default.createDirectory(atPath: scratch.folder, withIntermediateDirectories: true)
        let other = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        try other.execute("PRAGMA application_id = \(SQLiteOpening.applicationID)")
        try other.execute("PRAGMA user_version = 1")
        #expect(await summary() == nil)
    }

    @Test func `a checkpoint that was cut short leaves a database that opens, log and all`() async throws {
        let store = try await scratch.open()
        let cover = StorageObject(
            schema: Sample.cover, id: Sample.id(1), values: [.blob(.init(repeating: 7, count: 100_000)), .text("Big")])
        try await store.insert(cover)
        let (file, log) = (try #require(scratch.bytes()), try #require(scratch.bytes("-wal")))
        await store.close()
        // The first page has reached the file and states the number of pages; most of the others are missing.
        let firstPage = try #require(scratch.bytes()).prefix(4096)
        try (firstPage + file.dropFirst(4096)).write(to: URL(filePath: scratch.path))
        try log.write(to: URL(filePath: scratch.path + "-wal"))

        for access in [SQLiteStore.Access.readOnly, .readWrite] {
            let opened = try await scratch.open(access: access)
            #expect(try await opened.read(cover.id, of: Sample.cover)?.values == cover.values)
            await opened.close()
        }
    }

    @Test func `names that would meet are refused`() async throws {
        let text = Column(name: "x", type: .text)
        func plan(_ schemas: [EntitySchema]) -> String? {
            do {
                _ = try SQLPlan(SchemaSet(schemas))
                return nil
            } catch {
                return error.summary
            }
        }
        let links = [LinkRelationship(name: "b", target: "a_b", onDelete: .remove)]
        #expect(
            plan([EntitySchema(name: "a", columns: [], links: links), EntitySchema(name: "a_b", columns: [])]) != nil)
        #expect(plan([EntitySchema(name: "sqlite_a", columns: [])]) != nil)
        #expect(plan([EntitySchema(name: "larder_schema", columns: [])]) != nil)
        #expect(plan([EntitySchema(name: "a", columns: [text, Column(name: "X", type: .text)])]) != nil)
        #expect(plan([EntitySchema(name: "a", columns: [Column(name: "version", type: .text)])]) != nil)
        let child = EntitySchema(name: "c", columns: [Column(name: "a", type: .text)])
        #expect(plan([EntitySchema(name: "a", columns: [], children: [.init(name: "cs", schema: child)])]) != nil)
        #expect(
            plan([EntitySchema(name: "a b\"c", columns: [Column(name: "select", type: .text)], indexes: [[0]])]) == nil)
    }

    @Test func `a path that is none is a typed error`() async throws {
        for path in ["", "/", "a\u{0}b", "/proc/nowhere/x.sqlite"] {
            do {
                _ = try await SQLiteStore.open(.init(.file(path)), schemas: Sample.schemas())
                Issue.record("opened \(path)")
            } catch let error as PersistencyError {
                #expect(error.summary.hasPrefix("unavailable"))
            }
        }
    }
}
