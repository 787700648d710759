#if Postgres
public import LarderData
internal import LarderDomain

extension PostgresStore {
    /// The server, and how it is used.
    public struct Configuration: Sendable {
        /// A connection string of libpq: `postgres://user@host:5432/database`, or `host=… dbname=…`. libpq reads what it
        /// lacks from its environment variables, the password also from `.pgpass`.
        public var connection: String
        /// The PostgreSQL schema that contains the tables, then the only one in the search path; `nil` for the first one
        /// in the search path of the role. It must exist.
        public var schema: String?
        /// The maximum number of connections.
        public var connections: Int
        /// How long an operation waits for a free connection, and a statement for a lock. A lower `lock_timeout` of the
        /// role remains.
        public var busyTimeout: Duration
        /// How long a statement runs. A lower `statement_timeout` of the role remains.
        public var statementTimeout: Duration
        /// The retained commits.
        public var journal: JournalBounds
        /// The changes of the schemas that opening applies.
        public var migration: MigrationOptions
        /// A connection string for reads whose `ReadConsistency` prefers a replica; `nil` reads from the primary only.
        public var replica: String?
        /// What opening may change.
        public var access: Access
        /// The default of `target_session_attrs`: a former primary would answer with old content.
        var target = "read-write"
        /// The attempts at a commit that concurrent transactions interfere with.
        var retry = RetryPolicy(attempts: 20, longestPause: .milliseconds(32))

        /// Describes a server; by default, up to 8 connections that write, and no replica.
        public init(
            _ connection: String, schema: String? = nil, connections: Int = 8,
            busyTimeout: Duration = .seconds(5), statementTimeout: Duration = .seconds(60),
            journal: JournalBounds = JournalBounds(), migration: MigrationOptions = MigrationOptions(),
            replica: String? = nil, access: Access = .readWrite
        ) {
            (self.connection, self.schema, self.connections) = (connection, schema, connections)
            (self.busyTimeout, self.statementTimeout) = (busyTimeout, statementTimeout)
            (self.journal, self.migration, self.replica, self.access) = (journal, migration, replica, access)
        }
    }

    /// The permitted changes of the database.
    public enum Access: Sendable {
        /// Opening creates the tables of a missing store, and applies changes of the schemas.
        case readWrite
        /// Opening creates and changes nothing: a missing store, and one that must be migrated, is `incompatible`. Commits
        /// are refused.
        case readOnly
    }
}

/// Without the connection string, which may contain a password.
extension PostgresStore.Configuration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The hosts, the database, the user, and the PostgreSQL schema.
    public var description: String {
        "\((try? PostgresAddress(connection))?.description ?? "an invalid connection string")"
            + (schema.map { ", schema \($0)" } ?? "")
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
#endif
