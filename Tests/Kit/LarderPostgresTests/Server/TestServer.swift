#if Postgres
import Foundation
import Testing

/// A PostgreSQL server of its own for the tests of a process: in a temporary folder, on a socket, without syncs.
///
/// It runs as a shell script that runs commands from its input, so that it ends with the test process in any case.
/// PostgreSQL refuses to run as root; then it runs as the user `postgres`.
struct TestServer: Sendable {
    /// The folder of the socket and the data.
    let folder: String
    /// Keeps the script's input open.
    private let input: FileHandle
    /// The answers of the script.
    private let output: FileHandle
    private let process: Process

    /// The server of the process, started by the first test that needs it.
    static let shared = Task { try await Task.detached { try TestServer() }.value }

    /// The folder of the server's programs, such as `/usr/lib/postgresql/15/bin`.
    static let programs: String? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (folders + path.split(separator: ":").map(String.init)).first { folder in
            ["initdb", "pg_ctl", "postgres"].allSatisfy {
                FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
            }
        }
    }()

    static let isAvailable = programs != nil

    /// A connection string for a user and a database.
    func connection(user: String = "larder", database: String = "postgres") -> String {
        "host=\(folder) user=\(user) dbname=\(database)"
    }

    /// Stops or starts the server with `pg_ctl`.
    func control(_ arguments: String) async throws {
        let log = arguments.hasPrefix("start") ? "-l '\(folder)/log'" : ""
        try await run("'\(Self.programs ?? "")/pg_ctl' -D '\(folder)/data' -w -s \(log) \(arguments)")
    }

    /// Kills the first process of the server. Its children end soon after it.
    func killPostmaster() async throws { try await run("kill -9 $(head -1 '\(folder)/data/postmaster.pid')") }

    /// Ends the lifetime of the server: not before this call.
    func keepAlive() { withExtendedLifetime(input) {} }

    /// Runs a shell command as the user of the server.
    func run(_ command: String) async throws {
        try input.write(contentsOf: Data((command + "\n").utf8))
        let answer = await Task.detached { [output] in String(decoding: output.availableData, as: UTF8.self) }.value
        if answer != "done\n" { throw Failure("failed: \(command)") }
    }

    private static func shell(_ script: String) -> Process {
        let process = Process()
        let isRoot = getuid() == 0
        process.executableURL = URL(filePath: isRoot ? "/usr/sbin/runuser" : "/bin/sh")
        process.arguments = (isRoot ? ["-u", "postgres", "--", "/bin/sh"] : []) + ["-c", script]
        process.currentDirectoryURL = URL(filePath: "/tmp")
        return process
    }

    /// Starts a server. Blocks for about a second.
    init(_ settings: String = "") throws {
        guard let programs = Self.programs else { throw Failure("the programs of PostgreSQL were not found") }
        let script = """
            set -e
            folder=$(mktemp -d /tmp/larder-postgres-XXXXXX)
            stop() {
                for data in "$folder"/*/postmaster.pid; do
                    '\(programs)/pg_ctl' -D "${data%/*}" -m immediate -s stop || true
                done
                rm -rf "$folder"
            }
            '\(programs)/initdb' -D "$folder/data" -U larder -A trust -E UTF8 --locale=C.UTF-8 \
                --locale-provider=icu --icu-locale=en --no-sync > "$folder/log" 2>&1
            cat >> "$folder/data/postgresql.conf" <<END
            listen_addresses = ''
            unix_socket_directories = '$folder'
            fsync = off
            full_page_writes = off
            max_connections = 300
            deadlock_timeout = 200ms
            lc_messages = 'C'
            \(settings)
            END
            '\(programs)/pg_ctl' -D "$folder/data" -l "$folder/log" -w -s start || { cat "$folder/log"; exit 1; }
            echo "ready $folder"
            while read -r line; do
                if (eval "$line") > /dev/null 2>&1 < /dev/null; then echo done; else echo failed; fi
            done
            stop
            """
        process = Self.shell(script)
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        (self.input, self.output) = (input.fileHandleForWriting, output.fileHandleForReading)
        let line = String(decoding: self.output.availableData, as: UTF8.self)
        guard line.hasPrefix("ready ") else { throw Failure("the server did not start: \(line)") }
        folder = line.dropFirst("ready ".count).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests on a machine without the programs of a PostgreSQL server.
    static var postgres: Self {
        .enabled(if: TestServer.isAvailable, "no PostgreSQL server is installed: initdb and postgres were not found")
    }
}
#endif
