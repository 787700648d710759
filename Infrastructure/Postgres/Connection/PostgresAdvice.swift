#if Postgres
internal import LarderDomain

/// Faults in words, each with what to do.
struct PostgresAdvice {
    let reason: Unavailable.Reason
    let text: String

    private init(_ reason: Unavailable.Reason, _ text: String) {
        (self.reason, self.text) = (reason, text)
    }

    static let silence = "check that the server is not suspended or overloaded, and the network"

    /// By the codes of PostgreSQL; empty for a lost connection.
    static let bySQLState: [String: PostgresAdvice] = [
        "": .init(
            .unreachable,
            "the connection to the server has failed: check that the server is running and can be reached"),
        "08001": .init(
            .unreachable,
            "no host accepts writes: a failover may be running; otherwise name the primary, and check the setting "
                + "default_transaction_read_only"),
        "08P01": .init(.failed, "a connection pooler does not pass a setting on: use ALTER ROLE … SET"),
        "26000": .init(.failed, PostgresConnection.pooling),
        "22021": .init(.failed, "a text contains U+0000, which PostgreSQL cannot store: remove it"),
        "25006": .init(
            .readOnly,
            "the server is a replica, or its transactions are read-only: connect to the primary "
                + "(target_session_attrs=read-write), and check the setting default_transaction_read_only"),
        "28000": .init(
            .failed, "the server does not accept the user here: check the user, and its entries in pg_hba.conf"),
        "28P01": .init(
            .failed,
            "the password is wrong: check the user and the password in PGPASSWORD, the password file, or the connection "
                + "string"),
        "3D000": .init(.failed, "the database does not exist: create the database, or name another one"),
        "3F000": .init(.failed, "the PostgreSQL schema does not exist: create the schema, or name another one"),
        "42501": .init(.failed, "a right is missing: grant the user the rights on the schema and its tables"),
        "42703": changed,
        "42P01": changed,
        "53100": .init(.full, "the server's device is full: free space on it"),
        "53200": .init(.failed, "the server lacks memory: lower work_mem or max_connections, or add memory"),
        "53300": .init(
            .busy, "the server has too many connections: raise max_connections, or open fewer connections"),
        "55P03": .init(.busy, "another transaction has held a lock for longer than busyTimeout: try again"),
        "57014": .init(
            .busy, "the statement has exceeded its time limit: raise statementTimeout, or ask for less at a time"),
        "57P01": restarting,
        "57P02": restarting,
        "57P03": restarting,
        "58030": device,
        "58P01": device,
        "XX001": corrupt,
        "XX002": corrupt,
    ]

    private static let changed = PostgresAdvice(
        .failed,
        "a table or column of the store is missing: update this program if a newer version has changed the schema, "
            + "otherwise restore a backup")
    private static let restarting = PostgresAdvice(.unreachable, "the server is starting or stopping: try again")
    private static let device = PostgresAdvice(
        .failed, "the server cannot read or write its files: check its device and its log")
    private static let corrupt = PostgresAdvice(.failed, "the server's data is corrupt: restore a backup")
}
#endif
