import Logging
import Testing

@testable import LarderApp
@testable import LarderHTTP

struct ServerSettingsTests {
    private func settings(
        _ flags: [String: String] = [:], _ variables: [String: String] = [:]
    ) async throws -> ServerSettings {
        let environment = UserEnvironment(["XDG_CONFIG_HOME": "/nowhere"].merging(variables) { $1 })
        var reader = SettingReader(try await SettingSources(flags: flags, environment: environment))
        let settings = ServerSettings(&reader)
        try reader.check()
        return settings
    }

    @Test func `without settings the defaults hold`() async throws {
        #expect(try await settings() == ServerSettings())
    }

    @Test func `settings come from flags and the environment`() async throws {
        let found = try await settings(
            ["http-port": "0", "http-reading": "closed", "log-level": "debug"],
            ["SERVICE_HTTP_HEADER_TIMEOUT": "250ms", "SERVICE_HTTP_MAX_CONNECTIONS": "7"])
        #expect(found.port == 0)
        #expect(found.reading == .closed)
        #expect(found.logLevel == .debug)
        #expect(found.limits.headerTimeout == .milliseconds(250))
        #expect(found.limits.connections == 7)
    }

    @Test func `all that is wrong is said at once`() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await settings(
                ["http-port": "70000", "http-reading": "perhaps"],
                ["SERVICE_HTTP_BODY_TIMEOUT": "10", "SERVICE_HTTP_MAX_JSON_BYTES": "many"])
        }
        #expect(failure?.status == .configuration)
        let lines = failure?.message.split(separator: "\n").map(String.init) ?? []
        #expect(lines.count == 5)
        for (line, word) in zip(lines, ["4 invalid settings", "'70000'", "'perhaps'", "'10'", "'many'"]) {
            #expect(line.contains(word))
        }
    }

    @Test func `a wrong flag alone is a wrong command line`() async throws {
        let failure = await #expect(throws: CommandFailure.self) { try await settings(["http-port": "x"]) }
        #expect(failure?.status == .usage)
    }

    @Test(arguments: ["0.0.0.0", "::", "192.168.1.1", "larder.example", "127.1"])
    func `an address that other machines can reach needs TLS`(host: String) async throws {
        await #expect(throws: CommandFailure.self) { try await settings(["http-host": host]) }
        for end in ["upstream", "service"] {
            #expect(try await settings(["http-host": host, "http-tls": end]).host == host)
        }
    }

    @Test func `a service that does not terminate TLS refuses to be told so`() async throws {
        let settings = try await settings(["http-tls": "service"])
        #expect(settings.address(port: 1) == "https://127.0.0.1:1")
        let failure = #expect(throws: CommandFailure.self) { try GuardedServer(settings).standardBuilder() }
        #expect(failure?.status == .configuration)
    }

    @Test(arguments: ["127.0.0.1", "localhost", "::1", "[::1]", "127.9.9.9"])
    func `this machine alone needs no TLS`(host: String) async throws {
        #expect(try await settings(["http-host": host]).isLoopback)
    }

    @Test(arguments: ["", "a b", "a:80", "http://a"])
    func `an address without a host is refused`(host: String) async throws {
        await #expect(throws: CommandFailure.self) { try await settings(["http-host": host]) }
    }
}
