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
}
