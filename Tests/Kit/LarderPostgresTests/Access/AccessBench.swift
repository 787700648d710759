#if Postgres
import LarderData
import LarderDomain
import LarderInfrastructure
@testable import LarderPostgres
import Testing

/// A store of notes in a PostgreSQL schema, which also has a table of the service, and the feature that runs SQL.
struct AccessBench {
    let name: String
    let store: PostgresStore
    let access: PostgresAccess
    /// The owner of the schema, outside of the store.
    let owner: PlainConnection
    let note = Sample.note("kept", rank: 3, id: RawID(high: 1, low: 2))

    init(_ name: String, connections: Int = 4, statementTimeout: Duration = .seconds(60)) async throws {
        self.name = name
        await Scratch.drop(name)
        try await Scratch.run("CREATE SCHEMA \(name)", "CREATE TABLE \(name).svc (a int PRIMARY KEY)")
        var configuration = try await Scratch.configuration(name, connections: connections)
        configuration.statementTimeout = statementTimeout
        store = try await PostgresStore.open(configuration, schemas: SchemaSet([Sample.note]))
        access = try #require(store.feature(PostgresAccess.self))
        owner = try await Scratch.connection(name)
        _ = try await store.commit(ChangeSet(inserts: [note]))
    }

    /// The rows of the table of the service.
    func rows() async throws -> [Value] {
        try await access.read { try $0.rows("SELECT a FROM svc ORDER BY a").map { $0.values[0] } }
    }

    /// The text of an unsupported query, or another error.
    func refusal(_ statements: [String]) async -> String {
        do {
            try await access.write { database in for statement in statements { try database.run(statement) } }
            return "not refused"
        } catch PersistencyError.unsupportedQuery(let message) {
            return message
        } catch {
            return "\(error)"
        }
    }

    /// Expects that the store has its content, and works.
    func check(_ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let items = try await store.read(ReadRequest(Sample.note)).items
        #expect(items == [note], comment, sourceLocation: sourceLocation)
        let other = Sample.note("other")
        _ = try await store.commit(ChangeSet(inserts: [other]))
        _ = try await store.commit(ChangeSet(deletes: [RootExpectation(other.key, version: 1)]))
    }

    func end() async {
        await store.close()
        await Scratch.drop(name)
    }
}

extension Store {
    /// Whether the store has the feature that runs SQL on PostgreSQL.
    var runsPostgresSQL: Bool { feature(PostgresAccess.self) != nil }
}
#endif
