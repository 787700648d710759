#if Postgres
internal import LarderDomain

/// Faults in words, each with what to do.
enum PostgresAdvice {
    static let silence = "check that the server is not suspended or overloaded, and the network"

    /// By the codes of PostgreSQL; empty for a lost connection. The others are `failed`.
    static let reasons: [String: Unavailable.Reason] = [
        "": .unreachable, "08001": .unreachable, "57P01": .unreachable, "57P02": .unreachable, "57P03": .unreachable,
        "25006": .readOnly, "53100": .full, "53300": .busy, "55P03": .busy, "57014": .busy,
    ]

    /// By the codes of PostgreSQL; empty for a lost connection.
    static let texts = [
        "": "the connection to the server has failed: check that the server is running and can be reached",
        "08001":
            "no host accepts writes: a failover may be running; otherwise name the primary, and check the setting "
            + "default_transaction_read_only",
        "08P01": "a connection pooler does not pass a setting on: use ALTER ROLE … SET",
        "26000": PostgresConnection.pooling,
        "22021": "a text contains U+0000, which PostgreSQL cannot store: remove it",
        "25006":
            "the server is a replica, or its transactions are read-only: connect to the primary "
            + "(target_session_attrs=read-write), and check the setting default_transaction_read_only",
        "28000": "the server does not accept the user here: check the user, and its entries in pg_hba.conf",
        "28P01":
            "the password is wrong: check the user and the password in PGPASSWORD, the password file, or the connection "
            + "string",
        "3D000": "the database does not exist: create the database, or name another one",
        "3F000": "the PostgreSQL schema does not exist: create the schema, or name another one",
        "42501": "a right is missing: grant the user the rights on the schema and its tables",
        "42703": changed, "42P01": changed,
        "53100": "the server's device is full: free space on it",
        "53200": "the server lacks memory: lower work_mem or max_connections, or add memory",
        "53300": "the server has too many connections: raise max_connections, or open fewer connections",
        "55P03": "another transaction has held a lock for longer than busyTimeout: try again",
        "57014": "the statement has exceeded its time limit: raise statementTimeout, or ask for less at a time",
        "57P01": restarting, "57P02": restarting, "57P03": restarting,
        "58030": device, "58P01": device,
        "XX001": corrupt, "XX002": corrupt,
    ]

    private static let changed =
        "a table or column of the store is missing: update this program if a newer version has changed the schema, "
        + "otherwise restore a backup"
    private static let restarting = "the server is starting or stopping: try again"
    private static let device = "the server cannot read or write its files: check its device and its log"
    private static let corrupt = "the server's data is corrupt: restore a backup"
}
#endif
