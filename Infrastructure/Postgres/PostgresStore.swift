#if Postgres
public import LarderData
public import LarderDomain
internal import LarderInfrastructure
internal import Synchronization

/// Keeps storage objects in a PostgreSQL database, which any number of processes may use.
///
/// Each connection has its own thread, on which its statements run and rows are mapped, except for short ones: see
/// `docs/decisions/0015-short-statements-need-no-thread.md`. It is no actor: all members are immutable and
/// `Sendable`, and reads and commits run concurrently on several connections.
public final class PostgresStore: MeasuredStore {
    /// The kind and capabilities of the store.
    public let traits = StoreTraits(
        kind: "postgres",
        capabilities: [
            .durable, .journal, .sharedReading, .boundedPages, .bulkUpdates, .countsStatements, .semiJoins,
            .tellsThreads,
        ])
    /// The schemas that the store was opened with.
    public let schemas: SchemaSet

    let configuration: Configuration
    let plan: SQLPlan
    let pool: PostgresPool
    let readGroups: PostgresGroups<PostgresGroupedRead>
    let updateGroups: PostgresGroups<PostgresGroupedUpdate>
    let replica: PostgresReplica?
    let lifetime: UInt64
    let outcomes = CommitOutcomes()
    /// The commits of this store in doubt, with the process of the server that may still begin the transaction. Each has
    /// waited for the server in vain, so there are few.
    let doubts = Mutex<[CommitID: PostgresBackend?]>([:])
    let openedAt = Timestamp.now()
    let feed: PostgresFeed
    let workLog = WorkLog()
    let settlement: PostgresSettlement
    /// The number of reads on the caller's thread.
    let reads = Atomic(0)
    /// The number of changes that were added to the journal.
    let journaled = Atomic(0)

    private init(_ configuration: Configuration, _ plan: SQLPlan, _ pool: PostgresPool, _ end: ChangeToken) {
        (self.configuration, self.plan, self.pool, lifetime) = (configuration, plan, pool, end.lifetime)
        (readGroups, updateGroups) = (PostgresGroups(pool), PostgresGroups(pool))
        settlement = PostgresSettlement(end.position)
        schemas = plan.schemas
        replica = configuration.replica.map { connection in
            var replica = configuration
            (replica.connection, replica.target) = (connection, "any")
            return PostgresReplica(PostgresPool(replica), lifetime: end.lifetime)
        }
        feed = PostgresFeed(pool, end.lifetime)
    }

    /// Connects to the server, creates missing tables, and checks the recorded schema. With read-only access, it creates
    /// nothing.
    ///
    /// - Throws: `incompatible` if the tables belong to another program or another version of the schemas, which are left
    ///   unchanged, or a pooler shares connections between transactions; `unavailable` if the server cannot be reached or refuses the connection.
    public static func open(
        _ configuration: Configuration, schemas: SchemaSet
    ) async throws(PersistencyError) -> PostgresStore {
        let (plan, pool) = (try SQLPlan(schemas), PostgresPool(configuration))
        do {
            let end = try await pool.run { connection, _ throws(PersistencyError) in
                try connection.checkPooling(configuration)
                let migration = PostgresMigration(connection: connection, plan: plan, options: configuration.migration)
                try configuration.access == .readOnly ? migration.checkReadable() : migration.apply()
                return try PostgresJournal(connection: connection).end()
            }
            return PostgresStore(configuration, plan, pool, end)
        } catch {
            await pool.close()
            throw error
        }
    }

    /// The recorded schema of a database and the pending changes, without changing it.
    ///
    /// - Throws: `incompatible` if the changes cannot be planned; otherwise as ``open(_:schemas:)``.
    public static func schemaStatus(
        _ configuration: Configuration, schemas: SchemaSet
    ) async throws(PersistencyError) -> SchemaStatus {
        let plan = try SQLPlan(schemas)
        return try await StoreThread(label: "store.postgres.status").run { () throws(PersistencyError) in
            let connection = try PostgresConnection(configuration)
            return try PostgresMigration(connection: connection, plan: plan, options: configuration.migration).status()
        }
    }

    /// Statements run, and the threads of long work.
    public func measurements() async -> StoreMeasurements {
        StoreMeasurements(statements: pool.statementsRun + (replica?.pool.statementsRun ?? 0), longWork: workLog.places)
    }

    /// Closes the connections, each after its operation. Streams end after the commits that they may be behind.
    public func close() async {
        await feed.finish(upTo: traits.changeBuffer)
        await replica?.pool.close()
        await pool.close()
        feed.close()
    }

    func token(at position: Int64) -> ChangeToken { ChangeToken(lifetime: lifetime, position: position) }
}
#endif
