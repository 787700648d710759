#if Postgres
internal import CLarderPostgres
internal import LarderDomain
internal import LarderInfrastructure

extension PostgresConnection {
    /// Opens a connection. Blocks up to the connection string's `connect_timeout`, 10 seconds by default.
    convenience init(_ configuration: PostgresStore.Configuration) throws(PersistencyError) {
        // The connection string overrides these.
        var settings = [
            "fallback_application_name": "larder", "connect_timeout": "10", "keepalives_idle": "30",
            "keepalives_interval": "10", "keepalives_count": "3", "tcp_user_timeout": "30000",
            "target_session_attrs": configuration.target,
        ]
        settings.merge(try PostgresAddress(configuration.connection).settings) { $1 }
        settings["client_encoding"] = "UTF8"
        let texts = settings.map { name, value in
            "\(name)='\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
        }
        guard let opened = unsafe PQconnectdb(texts.joined(separator: " ")) else { throw .malformed("out of memory") }
        guard unsafe PQstatus(opened) == CONNECTION_OK else {
            defer { unsafe PQfinish(opened) }
            throw .unavailable(unsafe PostgresError(refusing: opened).unavailable)
        }
        unsafe self.init(opened: opened)
        guard serverVersion >= 130_000 else {
            throw .incompatible("the server is PostgreSQL \(serverVersion / 10_000); at least 13 is required")
        }
        try prepare(configuration)
        let encoding = try execute("SHOW server_encoding")
        guard encoding.advance(), encoding.text(0) == "UTF8" else {
            throw .incompatible("the database's encoding is \(encoding.text(0)): create it with the encoding UTF8")
        }
        backend = try markedBackend()
        answerLimit = configuration.statementTimeout + Self.grace
    }

    /// Sets the parameters of the session that the statements of a store need. No statement waits without a limit.
    ///
    /// A search path and stricter time limits of the role, the database, or the connection string remain. No transaction
    /// of a lost client stays open: the server ends one that may hold up others after 5 seconds between two round trips, in
    /// which it waits for nothing but the process (migrations, restores and backups have no limit); and it finds out within
    /// 10 seconds that a client has lost its power or its network, unless it has limits of its own. A socket without TCP
    /// ignores the latter.
    private func prepare(_ configuration: PostgresStore.Configuration) throws(PersistencyError) {
        // PostgreSQL takes 0 as no limit.
        let lock = max(1, configuration.busyTimeout.milliseconds)
        let statement = max(1, configuration.statementTimeout.milliseconds)
        let path = configuration.schema.map { "SET search_path TO \(SQLText.quoted($0));" } ?? ""
        try execute(
            """
            \(path)
            SET default_transaction_isolation TO 'repeatable read';
            SET bytea_output TO 'hex';
            SELECT pg_catalog.set_config(name,
                CASE WHEN NOT yields AND setting::bigint BETWEEN 1 AND most THEN setting ELSE most::text END, false)
            FROM pg_catalog.pg_settings JOIN (VALUES ('lock_timeout', \(lock), false),
                ('statement_timeout', \(statement), false),
                ('idle_in_transaction_session_timeout', \(min(statement, 5_000)), false),
                ('tcp_keepalives_idle', 4, true), ('tcp_keepalives_interval', 2, true),
                ('tcp_keepalives_count', 3, true), ('tcp_user_timeout', 10000, true)
            ) AS limits (name, most, yields) USING (name)
            WHERE source = 'default' OR NOT yields
            """)
    }

    static let pooling = "a connection pooler shares connections between transactions: use pool_mode = session"

    /// Refuses a pooler such as PgBouncer that lends a connection of the server for one transaction only: the settings and
    /// prepared statements of the store would be on another one.
    ///
    /// It is detected if the pooler lends the same connection to the next client, as it does unless others are faster.
    func checkPooling(_ configuration: PostgresStore.Configuration) throws(PersistencyError) {
        // A pooler answers a new connection itself.
        if unsafe Int64(PQbackendPID(handle)) == backend?.number { return }
        if try PostgresConnection(configuration).backend == backend { throw .incompatible(Self.pooling) }
    }
}
#endif
