#if Postgres
import Foundation
import LarderData
import LarderDomain
import LarderPostgres
import Testing

/// Connections that a server refuses, or that find none.
@Suite(.guardedServer, .serialized)
struct PostgresRefusalTests {
    /// A connection string, given its server, and the advice of the error.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let advice: [String]
        var reason = Unavailable.Reason.failed
        let connection: @Sendable (GuardedServer) throws -> String
    }

    private static let schemas = Result { try SchemaSet([Sample.note]) }

    private static let refusals = [
        Refusal(testDescription: "wrong password", advice: ["the password is wrong", "PGPASSWORD", "28P01"]) {
            $0.connection("ada", "password=wrong-s3cret")
        },
        Refusal(testDescription: "no password", advice: ["no password was given", "PGPASSWORD", "passwords of nobody"])
        {
            $0.connection("ada", "passfile='/tmp/passwords of nobody'")
        },
        Refusal(testDescription: "password file that others may read", advice: ["ignored", "chmod 600"]) {
            $0.connection("ada", "passfile=\($0.folder)/open")
        },
        Refusal(testDescription: "unknown user", advice: ["check the user", "nobody", "28000"]) {
            $0.connection("nobody")
        },
        Refusal(testDescription: "user that may not log in", advice: ["check the user", "not permitted to log in"]) {
            $0.connection("crew")
        },
        Refusal(testDescription: "user without an entry in pg_hba.conf", advice: ["pg_hba.conf", "stranger"]) {
            $0.connection("stranger", "sslmode=require")
        },
        Refusal(testDescription: "unknown database", advice: ["create the database", "missing", "3D000"]) {
            $0.connection("larder", "dbname=missing")
        },
        Refusal(testDescription: "no right to connect", advice: ["grant the user the rights", "private", "42501"]) {
            $0.connection("visitor", "dbname=private")
        },
        Refusal(testDescription: "database without connections", advice: ["ALLOW_CONNECTIONS", "silent"]) {
            $0.connection("larder", "dbname=silent")
        },
        Refusal(testDescription: "TLS that the server demands", advice: ["sslmode=require", "no encryption"]) {
            $0.connection("tls", "sslmode=disable password=s3cret")
        },
        Refusal(
            testDescription: "certificate of an unknown root", advice: ["not signed", "sslrootcert"],
            reason: .unreachable
        ) {
            $0.connection("tls", host: "localhost", "sslmode=verify-full sslrootcert=\($0.folder)/other.crt")
        },
        Refusal(
            testDescription: "certificate for another host", advice: ["another host", "db.example"],
            reason: .unreachable
        ) {
            $0.connection("tls", host: "db.example", "sslmode=verify-full sslrootcert=\($0.folder)/root.crt")
        },
        Refusal(
            testDescription: "missing root certificate", advice: ["root certificate", "sslrootcert"],
            reason: .unreachable
        ) {
            $0.connection("tls", "sslmode=verify-ca sslrootcert=\($0.folder)/nothing.crt")
        },
        Refusal(
            testDescription: "missing certificate of the client", advice: ["sslcert", "sslkey"], reason: .unreachable
        ) {
            $0.connection("tls", "sslmode=require sslcert=\($0.folder)/root.crt sslkey=\($0.folder)/nothing.key")
        },
        Refusal(testDescription: "closed port", advice: ["no server can be reached", "port"], reason: .unreachable) {
            _ in
            try "host=127.0.0.1 port=\(FakeServer.freePort()) password=s3cret"
        },
        Refusal(
            testDescription: "missing socket", advice: ["no server can be reached", "/nowhere"], reason: .unreachable
        ) { _ in
            "postgres://ada:s3cret@%2Fnowhere/postgres"
        },
        Refusal(testDescription: "unknown host name", advice: ["the host name is unknown"], reason: .unreachable) { _ in
            "postgres://ada:s3cret@larder.invalid/postgres"
        },
        Refusal(testDescription: "invalid setting", advice: ["a setting", "not valid"], reason: .unreachable) {
            $0.connection("ada", "sslmode=maybe password=s3cret")
        },
        Refusal(testDescription: "unknown service", advice: ["service", "PGSERVICEFILE"], reason: .unreachable) { _ in
            "service=nothing password=s3cret"
        },
        Refusal(
            testDescription: "no replica", advice: ["no server", "replica", "target_session_attrs"],
            reason: .unreachable
        ) {
            $0.connection("larder", "target_session_attrs=standby password=s3cret")
        },
        Refusal(
            testDescription: "no primary", advice: ["name the primary", "default_transaction_read_only"],
            reason: .unreachable
        ) {
            $0.connection(
                "larder", "target_session_attrs=read-write options='-c default_transaction_read_only=on'")
        },
    ]

    @Test(arguments: refusals)
    func `a refused connection is a typed error that says what to do, without secrets`(refusal: Refusal) async throws {
        let server = try await Self.server.value
        let connection = try refusal.connection(server)
        let trouble = await Failure.unavailable {
            _ = try await PostgresStore.open(.init(connection), schemas: Self.schemas.get())
        }
        Failure.expect(trouble, refusal.reason, refusal.advice, hides: [GuardedServer.password, connection])
    }

    @Test func `the password comes from the connection string or a file, and TLS is verified`() async throws {
        let server = try await Self.server.value
        let tls = "sslmode=verify-full sslrootcert=\(server.folder)/root.crt"
        for settings in ["password=s3cret", "passfile=\(server.folder)/closed"] {
            for (user, settings) in [("ada", settings), ("tls", "\(settings) \(tls)")] {
                let store = try await PostgresStore.open(
                    .init(server.connection(user, host: "localhost", settings), schema: "team"),
                    schemas: Self.schemas.get())
                #expect(try await store.read(ReadRequest(Sample.note)).items.isEmpty)
                await store.close()
            }
        }
    }

    @Test func `the first of several hosts that can be used is used`() async throws {
        let server = try await Self.server.value
        let address = try PostgresAddress(
            "postgres://ada:s3cret@127.0.0.1:\(FakeServer.freePort()),127.0.0.1:\(server.port)/postgres"
                + "?target_session_attrs=read-write")
        let store = try await PostgresStore.open(
            .init(address.connection, schema: "team"), schemas: Self.schemas.get())
        _ = try await store.commit(ChangeSet(inserts: [Sample.note("a")]))
        await store.close()
    }

    @Test func `TLS that the server does not offer is refused`() async throws {
        let port = try FakeServer.freePort()
        let server = try await TestServer.start("listen_addresses = '127.0.0.1'\nport = \(port)")
        defer { server.keepAlive() }
        let trouble = await Failure.unavailable {
            _ = try await PostgresStore.open(
                .init("host=127.0.0.1 port=\(port) user=larder sslmode=require"), schemas: Self.schemas.get())
        }
        Failure.expect(trouble, .unreachable, ["does not offer TLS", "ssl = on"])
    }

    /// The server's messages in German, if they are installed.
    private static let german = TestServer.programs.map { programs in
        "/usr/share/locale/de/LC_MESSAGES/postgres-\(programs.split(separator: "/").dropLast().last ?? "").mo"
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: german ?? ""), "the server has no German messages"))
    func `a refusal in another language is understood by its code`() async throws {
        let server = try await TestServer.start("lc_messages = 'C.UTF-8'")
        defer { server.keepAlive() }
        try await server.run(
            "LANGUAGE=de '\(TestServer.programs ?? "")/pg_ctl' -D '\(server.folder)/data' -l '\(server.folder)/log' -w -s restart"
        )
        for (connection, advice) in [
            (server.connection(user: "nobody"), ["check the user", "existiert nicht", "28000"]),
            (server.connection(database: "missing"), ["create the database", "existiert nicht", "3D000"]),
        ] {
            let trouble = await Failure.unavailable {
                _ = try await PostgresStore.open(.init(connection), schemas: Self.schemas.get())
            }
            Failure.expect(trouble, .failed, advice)
        }
    }

    @Test func `a server that does not answer, or is not PostgreSQL, is refused in time`() async throws {
        let silent = try FakeServer()
        let web = try FakeServer(answer: "HTTP/1.1 400 Bad Request\r\n\r\n")
        for (server, settings, advice) in [
            (silent, "connect_timeout=2", "connect_timeout"), (web, "", "no PostgreSQL server answers on this port"),
            (web, "sslmode=disable", "no PostgreSQL server answers on this port"),
        ] {
            let trouble = await Failure.unavailable {
                _ = try await PostgresStore.open(
                    .init("host=127.0.0.1 port=\(server.port) password=s3cret \(settings)"),
                    schemas: Self.schemas.get())
            }
            Failure.expect(trouble, .unreachable, [advice], hides: [GuardedServer.password])
            withExtendedLifetime(server) {}
        }
    }

    /// The server with the users, databases and password files of the tests.
    private static let server = Task {
        let server = try await GuardedServer.shared.value
        let secret = GuardedServer.password
        try await server.execute(
            "CREATE ROLE crew NOLOGIN", "CREATE ROLE visitor LOGIN", "CREATE ROLE ada LOGIN PASSWORD '\(secret)'",
            "CREATE ROLE tls LOGIN PASSWORD '\(secret)'", "CREATE DATABASE private",
            "REVOKE CONNECT ON DATABASE private FROM PUBLIC", "CREATE DATABASE silent",
            "ALTER DATABASE silent ALLOW_CONNECTIONS false", "CREATE ROLE team", "GRANT team TO ada, tls",
            "CREATE SCHEMA team AUTHORIZATION team",
            "ALTER DEFAULT PRIVILEGES FOR ROLE ada IN SCHEMA team GRANT ALL ON TABLES TO team")
        for (file, mode) in [("closed", "600"), ("open", "640")] {
            let path = "\(server.folder)/\(file)"
            try await server.server.run("echo '*:*:*:*:\(secret)' > '\(path)'; chmod \(mode) '\(path)'")
        }
        return server
    }
}
#endif
