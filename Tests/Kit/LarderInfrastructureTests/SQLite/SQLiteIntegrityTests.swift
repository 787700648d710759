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

/// The results of SQLite's integrity checks, reported by the store.
@Suite(.serialized) struct SQLiteIntegrityTests {
    let scratch = Scratch()

    private func problems() async throws -> [String] {
        let store = try await scratch.open(access: .readOnly)
        let problems = try await store.integrityProblems()
        await store.close()
        return problems
    }

    @Test func `a sound database has no problem, and broken references and indexes are found`() async throws {
        let store = try await scratch.open()
        for number in 0..<200 { try await store.insert(Sample.tag(number, "tag \(number)")) }
        try await store.insert(Sample.book(1, tags: [7]))
        await store.close()
        #expect(try await problems().isEmpty)

        let file = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
        try file.execute("DELETE FROM tag WHERE name = 'tag 7'")
        let dangling = try await problems()
        #expect(dangling.count == 1 && dangling[0].contains("refers to a row of tag"), "\(dangling)")
    }

    @Test func `a page that is damaged is found`() async throws {
        let store = try await scratch.open()
        for number in 0..<200 { try await store.insert(Sample.tag(number, "tag \(number)")) }
        await store.close()
        let page = try {
            let file = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
            return Int(
                try file.integer("SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'tag' LIMIT 1")
            )
        }()
        var bytes = try #require(scratch.bytes())
        bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(repeating: 0x55, count: 4096))
        try bytes.write(to: URL(filePath: scratch.path))
        #expect(try await !problems().isEmpty)
    }

    @Test func `positions with gaps, rows of the journal and missing indexes are found`() async throws {
        let store = try await scratch.open()
        for number in 0..<3 { try await store.insert(Sample.tag(number, "tag \(number)")) }
        try await store.insert(
            Sample.book(1, pages: [Sample.page(1, "a"), Sample.page(2, "b")], tags: [0, 1, 2]))
        await store.close()
        let whole = try #require(scratch.bytes())
        for (change, problem) in [
            ("UPDATE page SET position = 5 WHERE text = 'b'", "table page: the positions of book "),
            ("UPDATE page SET position = 0", "table page: the positions of book "),
            ("DELETE FROM book_tags WHERE position = 1", "table book_tags: the positions of book "),
            ("UPDATE larder_journal SET changes = x'FF' WHERE position = 2", "row 2 is malformed"),
            ("DELETE FROM larder_journal WHERE position = 2", "row 3 does not continue row 1"),
            ("UPDATE larder_journal SET total = 0 WHERE position = 3", "row 3 does not continue row 2"),
            ("DELETE FROM larder_journal WHERE position = 0", "the first row is not that of the lifetime"),
            ("DROP INDEX book_index_title", "the index book_index_title is missing"),
        ] {
            try whole.write(to: URL(filePath: scratch.path))
            let file = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
            try file.execute("PRAGMA foreign_keys = OFF")
            try file.execute(change)
            try file.checkpoint(.truncate)
            guard problem.contains("lifetime") else {
                let problems = try await problems()
                #expect(problems.count == 1 && problems[0].contains(problem), "\(change): \(problems)")
                continue
            }
            let plan = try SQLPlan(Sample.schemas())
            let problems = try SQLiteIntegrity(connection: file, plan: plan).problems()
            #expect(problems.count == 1 && problems[0].contains(problem), "\(change): \(problems)")
        }
    }

    @Test func `an object whose version is outside its range cannot be backed up, and is named`() async throws {
        let store = try await scratch.open()
        try await store.insert(Sample.tag(1, "a"))
        for version in ["-3", "0", "9223372036854775807"] {
            try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE).execute(
                "UPDATE tag SET version = \(version)")
            let error = await failure { () async throws(PersistencyError) in
                _ = try await Backup.write(store, to: scratch.folder + "/backup", replacing: true)
            }
            #expect(error?.summary == "unavailable failed")
            #expect(error?.description.contains("has the version \(version), which no program writes") == true)
            #expect(!FileManager.default.fileExists(atPath: scratch.folder + "/backup"))
        }
        await store.close()
    }
}
