import GRDB
import LarderData
import LarderGRDB
import LarderInfrastructure
import LarderStoreContract
import Testing

struct GRDBDifferentialTests {
    @Test func `random commits and queries are answered as in SQLiteStore and in memory, and leave equal tables`()
        async throws
    {
        let operations = RunSize.current.of(quick: 400, ci: 10_000, prove: 100_000)
        let scratch = "differential-\(UInt64.random(in: .min ... .max))"
        defer { StoreFixture.remove(scratch) }
        let (path, other) = (try StoreFixture.path(scratch), try StoreFixture.path(scratch + "/other"))
        let schemas = try ChangeSetRun.schemas()
        let grdb = try await GRDBStore.open(path: path, schemas: schemas, durability: .normal)
        let sqlite = try await SQLiteStore.open(.init(.file(other), durability: .normal), schemas: schemas)
        print(try await ChangeSetRun(operations: operations).run([grdb, sqlite, MemoryStore(schemas)]))
        await grdb.close()
        await sqlite.close()
        let (tables, others) = (try contents(of: path), try contents(of: other))
        #expect(Set(tables.keys) == Set(others.keys))
        for (name, rows) in tables { #expect(rows == others[name], "the table \(name)") }
        #expect(tables.values.contains { !$0.isEmpty })
    }

    @Test func `random queries are answered as by an oracle in plain Swift`() async throws {
        let queries = RunSize.current.of(quick: 200, ci: 5_000, prove: 100_000)
        let report = try await DifferentialRun(queries: queries).judge([.grdb])
        for complaint in report.complaints { Issue.record("\(complaint)") }
        #expect(report.unsupported * 20 <= report.queries)
    }

    @Test func `answers to random queries do not contradict each other`() async throws {
        let queries = RunSize.current.of(quick: 50, ci: 300, prove: 20_000)
        let report = try await SelfCheckRun(queries: queries).judge([.grdb])
        for complaint in report.complaints { Issue.record("\(complaint)") }
        #expect(report.checks >= queries * 5)
    }

    /// All rows of the tables of schemas, by table.
    private func contents(of path: String) throws -> [String: [Row]] {
        var configuration = Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: path, configuration: configuration)
        return try database.read { database in
            let names = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' "
                    + "AND name NOT LIKE 'larder%'")
            var tables: [String: [Row]] = [:]
            for name in names {
                tables[name] = try Row.fetchAll(
                    database, sql: "SELECT * FROM \(name.quotedDatabaseIdentifier) ORDER BY 1, 2")
            }
            return tables
        }
    }
}
