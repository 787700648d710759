#if Postgres
internal import CLarderPostgres
internal import LarderDomain
internal import LarderInfrastructure

extension PostgresConnection {
    /// Opens a connection. Blocks up to the connection string's `connect_timeout`, 10 seconds by default.
    convenience init(_ configuration: PostgresStore.Configuration) throws(PersistencyError) {
        let text = try PostgresAddress(configuration.connection).connection
        // The connection string overrides what precedes it.
        let settings: KeyValuePairs = [
            "fallback_application_name": "larder", "connect_timeout": "10", "keepalives_idle": "30",
            "keepalives_interval": "10", "keepalives_count": "3", "tcp_user_timeout": "30000",
            "target_session_attrs": configuration.target, "dbname": text, "client_encoding": "UTF8",
        ]
        guard let opened = unsafe Self.connect(settings.map(\.key), settings.map(\.value)) else {
            throw .malformed("out of memory")
        }
        guard unsafe PQstatus(opened) == CONNECTION_OK else {
            defer { unsafe PQfinish(opened) }
            throw .unavailable(unsafe PostgresError(refusing: opened).unavailable)
        }
        unsafe self.init(opened: opened)
        try prepare(configuration)
    }

    private static func connect(_ names: [String], _ values: [String]) -> OpaquePointer? {
        func withPointers(
            _ texts: ArraySlice<String>, _ pointers: [UnsafePointer<CChar>?],
            _ body: ([UnsafePointer<CChar>?]) -> OpaquePointer?
        ) -> OpaquePointer? {
            guard let first = texts.first else { return unsafe body(pointers + [nil]) }
            return unsafe first.withCString { unsafe withPointers(texts.dropFirst(), pointers + [$0], body) }
        }
        return unsafe withPointers(names[...], []) { names in
            unsafe withPointers(values[...], []) { values in unsafe PQconnectdbParams(names, values, 1) }
        }
    }

    /// No statement waits without a limit, and no transaction of a lost client stays open.
    private func prepare(_ configuration: PostgresStore.Configuration) throws(PersistencyError) {
        guard serverVersion >= 130_000 else {
            throw .incompatible("the server is PostgreSQL \(serverVersion / 10_000); at least 13 is required")
        }
        try prepareSession(configuration)
        let encoding = try execute("SHOW server_encoding")
        guard encoding.advance(), encoding.text(0) == "UTF8" else {
            throw .incompatible("the database's encoding is \(encoding.text(0)): create it with the encoding UTF8")
        }
        try findLostClients()
        backend = try markedBackend()
        answerLimit = configuration.statementTimeout + Self.grace
    }

    /// Lets the server find out within 10 seconds that a client has lost its power or its network, unless the server has
    /// limits of its own. A socket without TCP ignores them.
    private func findLostClients() throws(PersistencyError) {
        try execute(
            """
            SELECT set_config(name, value, false) FROM pg_settings JOIN (VALUES ('tcp_keepalives_idle', '4'),
                ('tcp_keepalives_interval', '2'), ('tcp_keepalives_count', '3'), ('tcp_user_timeout', '10000')
            ) AS limits (name, value) USING (name) WHERE source = 'default'
            """)
    }

    static let pooling = "a connection pooler shares connections between transactions: use pool_mode = session"

    /// Refuses a pooler such as PgBouncer that lends a connection of the server for one transaction only: the settings and
    /// prepared statements of the store would be on another one.
    ///
    /// It is detected if the pooler lends the same connection to the next client, as it does unless others are faster.
    func checkPooling(_ configuration: PostgresStore.Configuration) throws(PersistencyError) {
        let process = try processOfServer()
        // A pooler answers a new connection itself.
        if unsafe Int64(PQbackendPID(handle)) == process { return }
        let other = try PostgresConnection(configuration)
        try other.execute("BEGIN")
        if try other.processOfServer() == process { throw .incompatible(Self.pooling) }
    }

    private func processOfServer() throws(PersistencyError) -> Int64 {
        let rows = try execute("SELECT pg_backend_pid()::text")
        return rows.advance() ? Int64(rows.text(0)) ?? 0 : 0
    }
}
#endif
