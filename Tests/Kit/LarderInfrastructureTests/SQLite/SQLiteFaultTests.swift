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

/// Damaged files, and files that Larder did not make.
@Suite(.serialized) struct SQLiteFaultTests {
    let scratch = Scratch()

    /// A closed database of several pages, and its bytes.
    private func database() async throws -> (bytes: Data, pageSize: Int) {
        let store = try await scratch.open()
        let tags = (0..<40).map { Sample.tag($0, "tag \($0)") }
        let books = (0..<40).map { number in
            Sample.book(
                1000 + number, "Book \(number)",
                pages: [Sample.page(2000 + number, String(repeating: "x", count: 200))],
                tags: [number, 0])
        }
        _ = try await store.commit(ChangeSet(inserts: tags + books))
        await store.close()
        let bytes = try #require(scratch.bytes())
        return (bytes, Int(bytes[16]) << 8 | Int(bytes[17]))
    }

    private func write(_ bytes: Data, _ suffix: String = "") throws {
        try bytes.write(to: URL(fileURLWithPath: scratch.path + suffix))
    }

    private enum Answer: Equatable {
        /// Opening failed.
        case refused(String)
        /// Opening succeeded, and some reads failed.
        case failed(Set<String>)
        /// Opening and all reads succeeded.
        case read(rows: Int)
    }

    /// Opens the database and reads everything in it.
    private func answer(_ access: SQLiteStore.Access = .readWrite) async throws -> Answer {
        let store: SQLiteStore
        do {
            store = try await scratch.open(access: access)
        } catch let error as PersistencyError {
            return .refused(error.summary)
        }
        var (errors, rows): (Set<String>, Int) = ([], 0)
        for schema in try Sample.schemas().roots {
            do {
                rows += try await store.read(ReadRequest(schema)).items.count
            } catch {
                errors.insert(error.summary)
            }
        }
        await store.close()
        return errors.isEmpty ? .read(rows: rows) : .failed(errors)
    }

    @Test func `an overwritten page is a typed error for the operations that need it, and for no others`() async throws
    {
        let (bytes, pageSize) = try await database()
        var answers: [Answer] = []
        for page in 1..<(bytes.count / pageSize) {
            var damaged = bytes
            damaged.replaceSubrange(
                (page * pageSize)..<((page + 1) * pageSize), with: Data(repeating: 0xFF, count: pageSize))
            try write(damaged)
            let answer = try await answer()
            switch answer {
            case .refused(let error): #expect(error == "unavailable failed", "page \(page)")
            case .failed(let errors): #expect(errors == ["unavailable failed"], "page \(page)")
            // An index that a full read does not use.
            case .read(let rows): #expect(rows == 80, "page \(page)")
            }
            #expect(scratch.bytes() == damaged, "nothing was repaired, or damaged further")
            answers.append(answer)
        }
        #expect(answers.contains(.failed(["unavailable failed"])))
        #expect(answers.contains(.refused("unavailable failed")))
    }

    @Test func `a damaged page does not keep others from being written and read`() async throws {
        let (bytes, pageSize) = try await database()
        for page in 1..<(bytes.count / pageSize) {
            var damaged = bytes
            damaged.replaceSubrange(
                (page * pageSize)..<((page + 1) * pageSize), with: Data(repeating: 0xFF, count: pageSize))
            try write(damaged)
            guard case .failed = try await answer() else { continue }
            let store = try await scratch.open()
            let shelf = SQLiteTrapTests.shelf(9000, [:])
            let error = await failure { () async throws(PersistencyError) in try await store.insert(shelf) }
            if error == nil { #expect(try await store.read(shelf.id, of: Sample.shelf) == shelf) }
            #expect(error == nil || error?.summary == "unavailable failed")
            await store.close()
        }
    }

    @Test func `a damaged header is refused, and the file stays as it is`() async throws {
        let (bytes, _) = try await database()
        // The magic and the page size.
        for range in [0..<16, 16..<18] {
            var damaged = bytes
            damaged.replaceSubrange(range, with: Data(repeating: 0xFF, count: range.count))
            try write(damaged)
            for access in [SQLiteStore.Access.readWrite, .readOnly] {
                #expect(try await answer(access) == .refused("incompatible"), "\(range)")
            }
            #expect(scratch.bytes() == damaged)
        }
        try write(bytes)
        #expect(try await answer() == .read(rows: 80))
    }

    @Test func `a file that was cut off is refused or fails, and stays as it is`() async throws {
        let (bytes, pageSize) = try await database()
        for length in [1, 50, 100, pageSize - 1, pageSize, pageSize + 1, bytes.count / 2, bytes.count - pageSize] {
            let cut = Data(bytes.prefix(length))
            try write(cut)
            switch try await answer() {
            case .refused(let error): #expect(["unavailable failed", "incompatible"].contains(error), "\(length)")
            case .failed(let errors): #expect(errors == ["unavailable failed"], "\(length)")
            case .read(let rows): Issue.record("read \(rows) rows of a file cut off after \(length) bytes")
            }
            #expect(scratch.bytes() == cut)
        }
    }

    @Test func `a log of nonsense counts for nothing, as one that was cut off`() async throws {
        _ = try await database()
        try write(Data(repeating: 0xAB, count: 10_000), "-wal")
        #expect(try await answer() == .read(rows: 80))
    }

    @Test func `a database of another program is refused, and stays as it is`() async throws {
        _ = try await database()
        try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE).execute("PRAGMA application_id = 7")
        let before = scratch.bytes()
        for access in [SQLiteStore.Access.readWrite, .readOnly] {
            #expect(try await answer(access) == .refused("incompatible"))
        }
        #expect(scratch.bytes() == before)
    }

    @Test func `a database of a newer schema that must be known is refused, and stays as it is`() async throws {
        var roots = try Sample.schemas().roots
        let tag = roots[roots.firstIndex { $0.name == "tag" } ?? 0]
        let must = Column(name: "must", type: .integer)
        roots = roots.map { $0.name == "tag" ? EntitySchema(name: "tag", columns: tag.columns + [must]) : $0 }
        let more = try SchemaSet(roots)
        try await scratch.open(schemas: more).close()
        let before = scratch.bytes()
        for access in [SQLiteStore.Access.readWrite, .readOnly] {
            #expect(try await answer(access) == .refused("incompatible"))
        }
        #expect(scratch.bytes() == before)
    }
}
