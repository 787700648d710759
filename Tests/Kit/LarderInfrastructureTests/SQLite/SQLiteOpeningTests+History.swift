import CLarderSQLite
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The history of a database's schema.
extension SQLiteOpeningTests {
    @Test func `a record of the second format has no history, and gets one when it is opened for writing`() async throws
    {
        #expect(await summary() == nil)
        let other = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
        try other.execute("DROP TABLE larder_history")
        try other.execute("PRAGMA user_version = 2")
        #expect(await summary(access: .readOnly) == nil)
        #expect(try other.integer("PRAGMA user_version") == 2)
        #expect(await summary() == nil)
        #expect(try other.integer("PRAGMA user_version") == SQLiteOpening.format)
        let history = try SQLiteSchemaRecord(connection: other).read().history
        #expect(history.map(\.summary) == ["adopted"] && history.map(\.version) == [1])
    }
}
