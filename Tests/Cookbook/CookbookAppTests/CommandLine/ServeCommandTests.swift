import Foundation
import LarderTesting
import Testing

/// Tests of the process, from start to exit; other tests cover its responses.
struct ServeCommandTests {
    private static let anyPort = ["--http-port", "0"]
    private let larder: LarderProcess

    init() throws {
        larder = try LarderProcess()
    }

    private func refused(
        _ arguments: [String], _ variables: [String: String] = [:]
    ) async throws -> CommandResult {
        let answer = try await ServeProcess(larder, arguments, variables: variables).ended()
        #expect(answer.output.isEmpty)
        return answer
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `the service answers on a free port, and stops cleanly on a signal`(signal: Int32) async throws {
        let serve = try ServeProcess(larder, Self.anyPort)
        let port = try await serve.port()
        #expect(LocalPort.get("/health/ready", port).hasPrefix("HTTP/1.1 200 OK\r\n"))
        let token = try #require(try serve.token())
        #expect(LocalPort.get("/v1/users", port, token: token).contains(#""role":"admin""#))
        let answer = try await serve.end(signal)
        #expect(answer.status == 0)
        #expect(answer.output.contains("First admin token, shown only once: \(token)\n"))
        #expect(answer.errors.split(separator: "\n").count { $0.contains(#""route":"/v1/users""#) } == 1)
        #expect(!answer.errors.contains(#"level":"error"#), "\(answer.errors)")
        let database = larder.folder.path + "/.local/share/larder/larder.sqlite"
        #expect(FileManager.default.fileExists(atPath: database))
        #expect(!FileManager.default.fileExists(atPath: database + "-wal"))
    }

    @Test func `recipes that are added while the service is stopped are announced in its log`() async throws {
        func served() async throws -> CommandResult {
            let serve = try ServeProcess(larder, Self.anyPort)
            _ = try await serve.port()
            while try !larder("followers", "--json").output.contains(#""lag":0"#) {
                try await Task.sleep(for: .milliseconds(50))
            }
            return try await serve.end(SIGTERM)
        }
        #expect(try await !served().errors.contains("new recipes"))
        #expect(try larder("import", "-", input: #"{"@type": "Recipe", "name": "Soup"}"#).status == 0)
        #expect(try larder("followers", "--json").output.contains(#""lag":1"#))
        let errors = try await served().errors
        #expect(errors.contains(#""message":"new recipes""#) && errors.contains(#""count":"1""#), "\(errors)")
    }

    @Test func `a log pipe that is not read blocks neither requests nor shutdown`() async throws {
        let log = Pipe()
        let serve = try ServeProcess(larder, Self.anyPort, log: log)
        let port = try await serve.port()
        // Each request logs a line of more than a hundred bytes, and a pipe buffers 64 KiB.
        for _ in 0..<700 {
            try #require(LocalPort.get("/health/live", port).hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        #expect(try await serve.end(SIGTERM).status == 0)
        withExtendedLifetime(log) {}
    }

    @Test func `a token is printed only once, and stays valid after a restart`() async throws {
        let first = try ServeProcess(larder, Self.anyPort)
        _ = try await first.port()
        let token = try #require(try first.token())
        #expect(try await first.end(SIGTERM).status == 0)
        let second = try ServeProcess(larder, Self.anyPort)
        let port = try await second.port()
        #expect(try second.token() == nil)
        #expect(LocalPort.get("/v1/users", port, token: token).hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(try await second.end(SIGTERM).status == 0)
    }

    @Test func `the named first admin is created, and no existing user is promoted`() async throws {
        let reachable = Self.anyPort + ["--http-tls", "upstream"]
        let unnamed = try await refused(reachable)
        #expect(unnamed.status == 78)
        #expect(
            unnamed.errors == """
                larder: there is no admin, and no setting names the first one
                Set --http-first-admin or LARDER_HTTP_FIRST_ADMIN to an e-mail address.

                """)
        let malformed = try await refused(reachable + ["--http-first-admin", "ann"])
        #expect(malformed.status == 78)
        #expect(malformed.errors.hasPrefix("larder: 'ann' cannot be the first admin: "), "\(malformed.errors)")
        #expect(try larder("users", "add", "bob@example.org", "--first", "Bob", "--last", "Lee").status == 0)
        let known = try await refused(reachable + ["--http-first-admin", "Bob@example.org"])
        #expect(known.status == 73)
        #expect(known.errors.contains("'Bob@example.org' cannot be the first admin: it exists with another role"))
        let named = try ServeProcess(larder, reachable, variables: ["LARDER_HTTP_FIRST_ADMIN": "ann@example.org"])
        let port = try await named.port()
        let users = LocalPort.get("/v1/users?total=true", port, token: try named.token())
        #expect(users.contains(#""email":"ann@example.org""#) && users.contains(#""total":2"#), "\(users)")
        #expect(try await named.end(SIGTERM).status == 0)
        let again = try ServeProcess(larder, reachable)
        _ = try await again.port()
        #expect(try await again.end(SIGTERM).status == 0)
    }

    @Test func `a port in use is reported, and no admin is created`() async throws {
        let taken = LocalPort()
        let answer = try await refused(["--http-port", String(taken.number)])
        #expect(answer.status == 75)
        #expect(
            answer.errors == """
                larder: cannot listen on http://127.0.0.1:\(taken.number): another program uses port \(taken.number)
                Set another port with --http-port or LARDER_HTTP_PORT; 0 selects a free one.

                """)
        #expect(try larder("users").output.split(separator: "\n").count <= 1)
    }

    @Test func `an address of another machine is reported`() async throws {
        let answer = try await refused([
            "--http-host", "192.0.2.1", "--http-tls", "upstream", "--http-first-admin", "ann@example.org",
        ])
        #expect(answer.status == 78)
        #expect(answer.errors.contains("'192.0.2.1' is not an address of this machine"), "\(answer.errors)")
    }

    @Test func `all invalid flags are reported at once`() async throws {
        let answer = try await refused([
            "--http-port", "70000", "--http-reading", "perhaps", "--store", "mysql:x", "--durability", "some",
        ])
        #expect(answer.status == 64)
        #expect(
            answer.errors == """
                larder: 4 invalid settings:
                  invalid store 'mysql:x': unknown kind 'mysql'; use sqlite:PATH, file:DIR, postgres://…, or memory:
                  invalid durability 'some': use full, normal, or off
                  invalid http-port '70000': must be an integer from 0 to 65535
                  invalid http-reading 'perhaps': must be one of open, closed

                """)
    }

    @Test func `all invalid settings are reported with their sources`() async throws {
        let file = try larder.folder.file("settings.json", #"{"http-max-requests": 0, "http-tls": "upstream"}"#)
        let answer = try await refused(
            ["--config", file, "--http-reading", "perhaps"],
            ["LARDER_HTTP_BODY_TIMEOUT": "soon", "LARDER_HTTP_PORT": "http"])
        #expect(answer.status == 78)
        #expect(
            answer.errors == """
                larder: 4 invalid settings:
                  environment variable LARDER_HTTP_PORT: invalid http-port 'http': must be an integer from 0 to 65535
                  invalid http-reading 'perhaps': must be one of open, closed
                  environment variable LARDER_HTTP_BODY_TIMEOUT: invalid http-body-timeout 'soon': must be a duration \
                from 50ms to 600s, such as 250ms, 5s, or 2m
                  file \(file): invalid http-max-requests '0': must be an integer from 1 to 65536
                See 'larder config' for all settings and their sources.

                """)
    }

    @Test func `a public host requires a setting for where TLS is terminated`() async throws {
        let flag = try await refused(["--http-host", "0.0.0.0"])
        #expect(flag.status == 64)
        #expect(flag.errors.contains("other machines can reach '0.0.0.0', so tokens would be sent unencrypted"))
        #expect(flag.errors.contains("set http-tls to upstream"))
        let variable = try await refused([], ["LARDER_HTTP_HOST": "::"])
        #expect(variable.status == 78)
        #expect(variable.errors.contains("environment variable LARDER_HTTP_HOST: other machines can reach '::'"))
        let development = try await refused(["--development", "--http-host", "0.0.0.0", "--http-tls", "upstream"])
        #expect(development.status == 64)
        #expect(development.errors.contains("--development prints a token; listen on 127.0.0.1 with it"))
    }

    @Test func `uploads of photos and imports may exceed the request timeout`() async throws {
        let serve = try ServeProcess(
            larder, Self.anyPort,
            variables: [
                "LARDER_HTTP_REQUEST_TIMEOUT": "2s", "LARDER_HTTP_MAX_JSON_BYTES": "1024",
                // A short deadline makes the server check deadlines often.
                "LARDER_HTTP_IDLE_TIMEOUT": "200ms",
            ])
        let port = try await serve.port()
        let token = try #require(try serve.token())
        func send(_ line: String, _ type: String, _ body: [UInt8]) -> String {
            let head =
                "\(line) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer \(token)\r\n"
                + "If-None-Match: *\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
            let size = (body.count + 9) / 10
            let pieces = stride(from: 0, to: body.count, by: size).map { Array(body[$0...].prefix(size)) }
            return LocalPort.send([Array(head.utf8)] + pieces, to: port, pause: 0.25)
        }
        let recipe = #"{"@type":"Recipe","name":"Soup","description":"\#(String(repeating: "a", count: 1500))"}"#
        let imported = send("POST /v1/import/", "application/x-ndjson", Array(recipe.utf8))
        #expect(imported.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(imported)")
        let id = try #require(imported.firstMatch(of: #/"id":"([0-9a-f\-]{36})"/#)).output.1
        let picture = Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 3000)
        let kept = send("PUT /v1/recipes/\(id)/photo", "image/gif", picture)
        #expect(kept.hasPrefix("HTTP/1.1 201 Created\r\n"), "\(kept)")
        #expect(try await serve.end(SIGTERM).status == 0)
    }

    @Test func `HEAD returns the header fields of GET, and no body`() async throws {
        let serve = try ServeProcess(larder, Self.anyPort)
        let port = try await serve.port()
        let paths = ["/v1/export", "/v1/changes", "/v1/recipes", "/v1/nothing", "/v1/export?under=x"]
        let requests = paths.map { "HEAD \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
        let last = "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let answers = LocalPort.send([Array((requests.joined() + last).utf8)], to: port)
            .components(separatedBy: "\r\n\r\n")
        #expect(answers.count == paths.count + 2, "\(answers)")
        for (path, answer) in zip(paths, answers) {
            #expect(answer.hasPrefix("HTTP/1.1 "), "\(path): \(answer)")
            let fields = answer.lowercased()
            let isStream = path == "/v1/export" || path == "/v1/changes"
            #expect(fields.contains("content-length: 0") == false, "\(path): \(answer)")
            #expect(fields.contains("content-length: ") != isStream, "\(path): \(answer)")
        }
        #expect(try await serve.end(SIGTERM).status == 0)
    }

    @Test(arguments: ["sqlite", "file"])
    func `a refused command names the process that has the store, and the equivalent request`(kind: String) async throws
    {
        var larder = larder
        larder.environment["LARDER_STORE"] = "\(kind):\(larder.folder.path)/kept"
        let serve = try ServeProcess(larder, Self.anyPort)
        let port = try await serve.port()
        #expect(LocalPort.get("/health/ready", port).hasPrefix("HTTP/1.1 200 OK\r\n"))
        let rate = try larder("rate", "soup", "4")
        #expect(rate.status == 75)
        #expect(rate.errors.contains("already open for writing by pid \(serve.process.processIdentifier) "))
        #expect(rate.errors.contains("serving 127.0.0.1 on a free port"), "\(rate.errors)")
        #expect(rate.errors.contains("If it is 'larder serve', use POST /v1/recipes/{id}/rate;"))
        let second = try await ServeProcess(larder, Self.anyPort).ended()
        #expect(second.status == 75)
        #expect(second.errors.contains("already open for writing by pid \(serve.process.processIdentifier) "))
        #expect(try await serve.end(SIGTERM).status == 0)
    }
}
