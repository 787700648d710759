#if Postgres
import LarderDomain
@testable import LarderPostgres

/// A streaming replica of the server, in its folder, which ends with it.
extension TestServer {
    /// The connection string of the replica.
    func standbyConnection(database: String = "postgres") -> String { connection(database: database) + " port=5433" }

    func startStandby() async throws {
        let data = "\(folder)/standby"
        try await run(
            "test -d '\(data)' || { '\(Self.programs ?? "")/pg_basebackup' -h '\(folder)' -U larder -D '\(data)' -R "
                + "-c fast && echo 'port = 5433' >> '\(data)/postgresql.conf'; }")
        try await controlStandby("start -l '\(folder)/standby-log'")
    }

    func controlStandby(_ arguments: String) async throws {
        try await run("'\(Self.programs ?? "")/pg_ctl' -D '\(folder)/standby' -w -s \(arguments)")
    }

    /// Runs a statement on the replica until its first column has a value.
    func onStandby(_ text: String, until value: String? = nil) async throws {
        let configuration = PostgresStore.Configuration(standbyConnection() + " target_session_attrs=any")
        try await Task.detached {
            let connection = try PostgresConnection(configuration)
            var isReached = false
            while !isReached {
                let rows = try connection.execute(text)
                isReached = value == nil || rows.advance() && rows.text(0) == value
            }
        }.value
    }
}
#endif
