#if Postgres
import Foundation
import Testing

/// A server with TLS and passwords, on a port of the loopback. Its certificate is for `localhost`, signed by `root.crt`.
struct GuardedServer: Sendable {
    static let password = "s3cret"
    /// The server of the process, started by the first test that needs it.
    static let shared = Task { try await GuardedServer() }
    static let isAvailable = TestServer.isAvailable && FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    let server: TestServer
    let port: Int
    var folder: String { server.folder }

    init() async throws {
        port = try FakeServer.freePort()
        server = try await .start("listen_addresses = '127.0.0.1'\nport = \(port)")
        try await server.run("cd '\(folder)' && \(Self.certificates)")
        let rules = [
            "local all larder trust", "host all larder,nobody,crew,visitor 127.0.0.1/32 trust",
            "host all ada 127.0.0.1/32 scram-sha-256", "hostssl all tls 127.0.0.1/32 scram-sha-256",
        ]
        try await server.run(
            "printf '%s\\n' \(rules.map { "'\($0)'" }.joined(separator: " ")) > '\(folder)/data/pg_hba.conf'")
        let settings = [
            "ssl = on", "ssl_cert_file = '\(folder)/server.crt'", "ssl_key_file = '\(folder)/server.key'",
        ]
        try await server.run(
            "printf '%s\\n' \(settings.map { "\"\($0)\"" }.joined(separator: " ")) >> '\(folder)/data/postgresql.conf'")
        try await server.control("restart -m fast")
    }

    private static let certificates = """
        key() { openssl ecparam -name prime256v1 -genkey -noout -out $1.key && chmod 600 $1.key; } && \
        root() { key $1 && openssl req -new -x509 -days 3650 -key $1.key -out $1.crt -subj /CN=$1; } && \
        root root && root other && key server && \
        openssl req -new -key server.key -out server.csr -subj /CN=localhost && \
        openssl x509 -req -in server.csr -CA root.crt -CAkey root.key -CAcreateserial -days 3650 -out server.crt
        """

    /// A connection string over TCP.
    func connection(_ user: String, host: String = "127.0.0.1", _ settings: String = "") -> String {
        "host=\(host) hostaddr=127.0.0.1 port=\(port) user=\(user) dbname=postgres \(settings)"
    }

    /// Runs statements as the owner.
    func execute(_ statements: String...) async throws {
        for statement in statements {
            try await server.run(
                "'\(TestServer.programs ?? "")/psql' -h '\(folder)' -p \(port) -U larder postgres -v ON_ERROR_STOP=1 "
                    + "-c \"\(statement)\"")
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests on a machine without a PostgreSQL server or `openssl`.
    static var guardedServer: Self {
        .enabled(if: GuardedServer.isAvailable, "no PostgreSQL server, or /usr/bin/openssl, is installed")
    }
}
#endif
