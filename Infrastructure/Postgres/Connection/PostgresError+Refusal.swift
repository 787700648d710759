#if Postgres
internal import CLarderPostgres

extension PostgresError {
    /// Codes by the messages of the server, for which libpq has none while it connects. The first one counts.
    private static let codes: KeyValuePairs = [
        "too many": "53300", "remaining connection slots": "53300", "no password supplied": "28P01",
        "password authentication failed": "28P01", "pg_hba.conf": "28000", "authentication failed": "28000",
        "valid client certificate": "28000", "role \"": "28000", "permission denied for database": "42501",
        "is not currently accepting": "55000", "database \"": "3D000", "starting up": "57P03",
        "shutting down": "57P03", "recovery mode": "57P03", "not accepting connections": "57P03",
        "not yet accepting": "57P03",
        "unsupported startup parameter": "08P01",
        "session is read-only": "08001", "server is in hot standby mode": "08001",
    ]

    /// Advice by the messages of the server and of libpq. The first one counts.
    private static let advice: KeyValuePairs = [
        "no encryption":
            "the server does not accept the user without TLS: use sslmode=require, or check the entries in pg_hba.conf",
        "valid client certificate":
            "the server demands a certificate of the client: name its files with sslcert and sslkey",
        "session is not read-only": "no server of the connection string is read-only: check target_session_attrs",
        "is not in hot standby mode": "no server of the connection string is a replica: check target_session_attrs",
        "does not match host name":
            "the server's certificate is for another host: connect to a name that it contains, or check for an intruder",
        "root certificate file": "the root certificate cannot be read: name its file with sslrootcert",
        "certificate verify failed":
            "the server's certificate is not signed by the root certificate: check the file sslrootcert and the server",
        "does not support SSL": "the server does not offer TLS: enable it (ssl = on), or use another sslmode",
        "certificate file": "a certificate cannot be read: check the files sslcert and sslkey, and their permissions",
        "private key file": "a certificate cannot be read: check the files sslcert and sslkey, and their permissions",
        "SSL negotiation": noPostgres, "expected authentication request": noPostgres,
        "could not translate host name": "the host name is unknown: check the host and the name service",
        "timeout expired":
            "the server has not answered in time: check the host, the port, and firewalls, or raise connect_timeout",
        "is not currently accepting":
            "the database accepts no connections: ALTER DATABASE … ALLOW_CONNECTIONS true, or name another one",
        "closed the connection": "the server has closed the connection: try again, and check the server's log",
        "No such file": unreachable, "refused": unreachable, "unreachable": unreachable,
        "Permission denied": "the process may not use the server's socket: check the permissions of its folder",
        "definition of service": "the service is not in the service file: check the setting service and PGSERVICEFILE",
        "invalid ": invalid, "could not match": invalid, "could not parse": invalid,
    ]

    private static let noPostgres = "no PostgreSQL server answers on this port: check the host and the port"
    private static let unreachable =
        "no server can be reached: check that the server is running, the host, and the port"
    private static let invalid = "a setting of the connection string is not valid: correct it"

    /// The error of a connection that could not be opened.
    init(refusing connection: OpaquePointer) {
        let text = unsafe String(cString: PQerrorMessage(connection))
        let lines = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
        message = lines.joined(separator: "; ")
        let known = Self.codes.first { text.contains($0.key) }?.value
        if unsafe PQconnectionNeedsPassword(connection) == 1 {
            advice = unsafe Self.noPassword(connection)
        } else if known == nil || known == "28000" || known == "55000" {
            advice = Self.advice.first { text.contains($0.key) }?.value
        }
        state = unsafe known ?? (advice == nil ? Self.code(connection) : "")
    }

    /// The code of a message in another language than English, from another attempt; empty if there is none.
    private static func code(_ connection: OpaquePointer) -> String {
        _ = unsafe PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE)
        unsafe PQreset(connection)
        // For example `FATAL:  28P01`.
        let last = unsafe String(cString: PQerrorMessage(connection)).split(whereSeparator: \.isWhitespace).last ?? ""
        let isCode = last.utf8.count == 5 && last.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
        return isCode ? String(last) : ""
    }

    private static func noPassword(_ connection: OpaquePointer) -> String {
        let options = unsafe PQconninfo(connection)
        defer { unsafe PQconninfoFree(options) }
        guard let file = unsafe PostgresAddress.settings(options)["passfile"] else {
            return "no password was given: set PGPASSWORD, or name a password file with passfile"
        }
        var status = stat()
        let isOpen = unsafe stat(file, &status) == 0 && status.st_mode & 0o077 != 0
        return isOpen
            ? "the password file \(file) is ignored, because other users may read it: chmod 600 \(file)"
            : "no password was given: set PGPASSWORD, or add the server, database, and user to the password file \(file)"
    }
}
#endif
