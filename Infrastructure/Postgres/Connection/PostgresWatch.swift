#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure
internal import Synchronization

/// The number of statements that a lane has sent: an operation that sends none for a second may wait for a lock.
final class PostgresActivity: Sendable {
    private let statements = Atomic(0)

    var count: Int { statements.load(ordering: .relaxed) }

    func note(_ further: Int) { statements.wrappingAdd(further, ordering: .relaxed) }
}

/// Ends connections whose clients have fallen silent in the middle of a pipeline, if operations wait for their locks.
///
/// The server waits for the next message of a pipeline without a time limit. A client that has lost power or its
/// network, or whose proxy has stopped, may have sent the row of the journal, and never sends the end of the transaction:
/// all later commits would wait for it. A client sends a pipeline without pauses, so one that is silent for
/// ``patience`` is lost, or resolves its commit by its id. Connections of other programs are never ended.
///
/// One task at a time uses it.
final class PostgresWatch {
    /// How often operations are looked at, in which no statement has been sent since the last look.
    static let interval: Duration = .seconds(1)
    /// A connection is ended if it is silent in each look of this time, so at most 4 seconds after an operation has begun to
    /// wait for it.
    private static let patience = 2
    /// The connection for the looks: those of the pool may all wait.
    let lane: PostgresLane
    private let pool: PostgresPool
    /// Silent connections, and for how many looks.
    private var silent: [PostgresSilence: Int] = [:]

    init(_ lane: PostgresLane, _ pool: PostgresPool) {
        (self.lane, self.pool) = (lane, pool)
    }

    /// Finds silent connections that others wait for, and ends connections that were found before, too.
    func look() async {
        let known = silent
        let work = {
            @Sendable (
                connection: PostgresConnection, _: StoreThread
            ) throws(PersistencyError) -> [PostgresSilence: Int] in
            var found: [PostgresSilence: Int] = [:]
            for silence in try connection.silentBlockers() {
                found[silence] = (known[silence] ?? -1) + 1
                // Without the right to end it, others may have it.
                if found[silence, default: 0] >= Self.patience { try? connection.end(silence) }
            }
            return found
        }
        do throws(PersistencyError) { silent = try await lane.run(work) } catch {
            // The server may have no further connection.
            silent = (try? await pool.run(work)) ?? [:]
        }
    }
}

/// The wait of the server for the next message of a client, in the middle of a pipeline.
struct PostgresSilence: Hashable, Sendable {
    let backend: PostgresBackend
    /// When the last message has begun to run, in microseconds since 1970.
    let since: Int64
}

extension PostgresConnection {
    /// The key of a shared lock that all connections of stores have, so that they can be told from those of other programs.
    private static let mark = "1818325604, 1"

    static let marking = "pg_try_advisory_lock_shared(\(mark))"

    /// Finds connections of stores that are silent in the middle of a pipeline, and for whose locks others wait.
    ///
    /// The data of a `COPY` is one message: it has the time limit of a statement, which the server does not apply to it.
    fileprivate func silentBlockers() throws(PersistencyError) -> [PostgresSilence] {
        let rows = try run(
            """
            WITH marked AS MATERIALIZED (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2
                AND (classid, objid) = (\(Self.mark))
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
            SELECT DISTINCT silent.pid::bigint, \(PostgresBackend.microseconds("silent.backend_start")),
                \(PostgresBackend.microseconds("silent.state_change"))
            FROM pg_stat_activity AS waiting
            CROSS JOIN LATERAL unnest(pg_blocking_pids(waiting.pid)) AS blocking (pid)
            JOIN pg_stat_activity AS silent ON silent.pid = blocking.pid
            WHERE waiting.wait_event_type = 'Lock' AND silent.wait_event_type = 'Client' AND silent.state = 'active'
                AND waiting.pid IN (SELECT pid FROM marked) AND silent.pid IN (SELECT pid FROM marked)
                AND (silent.query NOT LIKE 'COPY %' OR silent.state_change
                    < clock_timestamp() - current_setting('statement_timeout')::interval)
            """)
        return rows.map { row in
            PostgresSilence(
                backend: PostgresBackend(number: row.integer(0), start: row.integer(1)), since: row.integer(2))
        }
    }

    /// Ends a connection if it is still silent. The server rolls its transaction back.
    fileprivate func end(_ silence: PostgresSilence) throws(PersistencyError) {
        try run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE pid = $1::bigint AND \(PostgresBackend.microseconds("backend_start")) = $2::bigint
                AND \(PostgresBackend.microseconds("state_change")) = $3::bigint AND wait_event_type = 'Client'
            """, [.integer(silence.backend.number), .integer(silence.backend.start), .integer(silence.since)])
    }
}
#endif
