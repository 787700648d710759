import Foundation
import Testing

@testable import LarderGenerator

/// What a new service is delivered with: its dependency on the kit, its image, its CI and its store.
struct DeliveryTests {
    @Test func `a dependency by path is the default in the folder of the kit and beside it`() throws {
        let scratch = try Scratch()
        func folder(_ path: String) -> URL { scratch.folder.appending(path: path).standardizedFileURL }
        try FileManager.default.createDirectory(at: folder("a/kit"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: folder("link"), withDestinationURL: folder("a"))
        for near in ["a/service", "a/kit/service", "a/kit/x/service", "link/service", "link/kit/service"] {
            #expect(KitDependency.isNear(folder(near), to: folder("a/kit")), "\(near)")
        }
        for far in ["service", "a/x/service", "a/kit-2/service", "b/kit/service"] {
            #expect(!KitDependency.isNear(folder(far), to: folder("a/kit")), "\(far)")
        }
    }

    @Test(arguments: ["", "STORE=postgres"])
    func `the Dockerfile and CI of a service by path say how they become those of a vendored one`(
        store: String
    ) throws {
        let scratch = try Scratch()
        let service = try scratch.service("it's mine", store)
        let commands = try ["Dockerfile", ".github/workflows/ci.yml"].map { file in
            try String(contentsOf: service.appending(path: file), encoding: .utf8).split(separator: "\n")
                .prefix { $0.hasPrefix("#") }.filter { $0.hasPrefix("#   ") }.map { $0.dropFirst(4) }
        }
        #expect(commands[0] == commands[1])
        try #require(commands[0].count == 2)
        // The arguments that make gets; this test is not the program that it runs.
        let arguments = try shell("printf '%s\n' \(commands[0][0])", in: service).split(separator: "\n").dropFirst(4)
        _ = try NewService(try Arguments(arguments.map(String.init)), in: scratch.folder).create()
        _ = try shell(String(commands[0][1]), in: service)
        let wanted = try Scratch.texts(below: URL(filePath: service.path + ".new"))
        let found = try Scratch.texts(below: service)
        #expect(found.keys.sorted() == wanted.keys.sorted())
        #expect(found.keys.sorted().filter { found[$0] != wanted[$0] } == [])
        #expect(wanted["Dockerfile"]?.contains("COPY Package.* ./\nCOPY Kit Kit\nRUN swift package resolve") ?? false)
    }

    @Test(arguments: NewServiceTests.kits)
    func `a service with PostgreSQL has it in its manifest, settings, image, CI and tasks`(kit: [String]) throws {
        let scratch = try Scratch()
        let folder = try scratch.service("my-app", kit[0], kit.dropFirst().first ?? "", "STORE=postgres")
        let texts = try Scratch.texts(below: folder)
        let parts: KeyValuePairs = [
            "Package.swift": [#", traits: [.defaults, "Postgres"]),"#],
            "Infrastructure/development.json": [#""postgres:///my-app""#],
            "Infrastructure/production.json": [#""postgres://my-app@db/my-app""#],
            "Makefile": ["--exists sqlite3 libpq", "install --yes libpq-dev libsqlite3-dev"],
            "Dockerfile": ["libpq-dev libsqlite3-dev", "curl libpq5 libsqlite3-0"],
            ".github/workflows/ci.yml": [
                "image: postgres:", "libpq-dev", "make test", "my-app check --store postgres://my-app@postgres/my-app",
            ],
            "README.md": ["createdb --template template0 --encoding UTF8 my-app", "docker compose up"],
            "compose.yml": [
                "POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?", "PGPASSWORD: ${POSTGRES_PASSWORD:?", "pg_isready",
                "MY_APP_HTTP_FIRST_OPERATOR", "condition: service_healthy", "db:/var/lib/postgresql/data",
            ],
            ".gitignore": [".env\n"], ".dockerignore": [".env\n"],
        ]
        for (file, parts) in parts {
            let text = try #require(texts[file], "\(file)")
            for part in parts { #expect(text.contains(part), "\(file): \(part)") }
        }
        #expect(texts["Dockerfile"]?.contains("VOLUME") == false)
        if kit == ["KIT=vendored"] {
            for file in ["CLarderPostgres/module.modulemap", "CLarderPostgres/shim.h", "Postgres/PostgresStore.swift"] {
                #expect(texts["Kit/Infrastructure/\(file)"] != nil, "\(file)")
            }
        }
    }

    @Test func `by default, only the sources know of PostgreSQL`() throws {
        let scratch = try Scratch()
        let texts = try Scratch.texts(below: try scratch.service("my-app"))
        for (path, text) in texts where !path.hasSuffix(".swift") || path == "Package.swift" {
            // A message in the transcript of commands lists all kinds of stores.
            let names = text.replacing("postgres://…", with: "").lowercased().contains(/postgres|libpq/)
            #expect(!names, "\(path)")
        }
    }

    private func shell(_ command: String, in folder: URL) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-ec", command]
        process.currentDirectoryURL = folder
        // The shell's own.
        process.environment = ProcessInfo.processInfo.environment.merging(["PWD": folder.path]) { $1 }
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(command)")
        return text
    }
}
