import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Columns that the database contains and the program does not declare.
extension SQLiteOpeningTests {
    @Test func `further columns that are nullable or have a default stay as they are, and inserts leave them to it`()
        async throws
    {
        let first = try schemas([name])
        let second = try schemas([
            name, Column(name: "note", type: .text, isNullable: true),
            Column(name: "count", type: .integer, defaultValue: .integer(-3)),
        ])
        try await scratch.open(schemas: first).close()
        let new = try await scratch.open(schemas: second)
        let mine = thing(second, [.text("a"), .text("kept"), .integer(7)])
        _ = try await new.commit(ChangeSet(inserts: [mine]))
        await new.close()

        let old = try await scratch.open(schemas: first)
        let read = try #require(try await old.read(mine.id, of: first.roots[0]))
        #expect(read.values == [.text("a")])
        var changed = read
        changed.values[0] = .text("b")
        _ = try await old.commit(ChangeSet(updates: [changed.update(from: read)]))
        let added = StorageObject(schema: first.roots[0], id: Sample.id(0), values: [.text("c")])
        _ = try await old.commit(ChangeSet(inserts: [added]))
        await old.close()
        #expect(await summary(first, access: .readOnly) == nil)

        let again = try await scratch.open(schemas: second)
        let both = try await again.read(ReadRequest(second.roots[0])).items
        #expect(both.map(\.values) == [[.text("c"), .null, .integer(-3)], [.text("b"), .text("kept"), .integer(7)]])
        await again.close()
        // The program cannot fill an undeclared non-nullable column of a new table.
        let third = try schemas([name, Column(name: "must", type: .integer)])
        try FileManager.default.removeItem(atPath: scratch.path)
        try await scratch.open(schemas: third).close()
        #expect(await summary(first) == "incompatible")
    }
}
