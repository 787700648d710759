import Foundation
import LarderTesting
import Testing

/// Files that do not belong to the store next to which they are: logs of other databases, hard links.
struct ForeignFileTests {
    private let larder: LarderProcess

    init() throws {
        larder = try LarderProcess.withRecipes()
    }

    private var database: String { larder.folder.path + "/.local/share/larder/larder.sqlite" }
    private let files = FileManager.default

    /// Kills a service after a change that is only in the log of its database.
    private func killService() async throws {
        let serve = try ServeProcess(larder, ["--http-port", "0"])
        let port = try await serve.port()
        let token = try #require(try serve.token())
        let body = #"{"name":"from the log"}"#
        let request = """
            POST /v1/tags HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer \(token)\r\n\
            Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        let made = LocalPort.send([Array(request.utf8)], to: port)
        #expect(made.hasPrefix("HTTP/1.1 201 "), "\(made)")
        _ = try await serve.end(SIGKILL)
        try #require(files.contents(atPath: database + "-wal")?.isEmpty == false)
    }

    @Test func `the log of a deleted database does not come back in a new one`() async throws {
        try await killService()
        let log = try #require(files.contents(atPath: database + "-wal"))
        try files.removeItem(atPath: database)
        let answer = try larder("import", larder.folder.path + "/recipes.jsonl")
        #expect(answer.status == 69 && answer.errors.contains(database + "-wal"), "\(answer.errors)")
        #expect(files.contents(atPath: database + "-wal") == log && !files.fileExists(atPath: database))
        for suffix in ["-wal", "-shm"] {
            try files.moveItem(atPath: database + suffix, toPath: larder.folder.path + "/aside" + suffix)
        }
        #expect(try larder("import", larder.folder.path + "/recipes.jsonl").status == 0)
        #expect(try !larder("tags").output.contains("from the log"))
    }

    @Test func `the log of a killed service is not applied to another database`() async throws {
        try await killService()
        let other = larder.folder.path + "/other.sqlite"
        #expect(
            try larder("import", larder.folder.path + "/recipes.jsonl", "--store", "sqlite:" + other).status == 0)
        let bytes = try #require(files.contents(atPath: other))
        try files.copyItem(atPath: database + "-wal", toPath: other + "-wal")
        for command in [["list"], ["verify"], ["rate", "soup", "3"]] {
            let answer = try larder.run(
                command + ["--store", "sqlite:" + other], input: larder.folder.file("nothing", ""))
            #expect(answer.status == 69 && answer.output.isEmpty, "\(command): \(answer.errors)")
            #expect(answer.errors.contains("other.sqlite-wal was not written for "), "\(answer.errors)")
        }
        #expect(files.contents(atPath: other) == bytes)
        // With its own log, the database of the killed service has the change.
        #expect(try larder("tags").output.contains("from the log"))
    }

    @Test(arguments: ["sqlite", "file"])
    func `a store whose file has several names is not written`(kind: String) throws {
        let (place, other) = (larder.folder.path + "/place", larder.folder.path + "/other")
        for folder in [place, other] { try files.createDirectory(atPath: folder, withIntermediateDirectories: true) }
        let name = kind == "sqlite" ? "/db" : "/larder.log"
        func store(_ folder: String) -> String { kind == "sqlite" ? "sqlite:\(folder)/db" : "file:\(folder)" }
        #expect(try larder("import", larder.folder.path + "/recipes.jsonl", "--store", store(place)).status == 0)
        try files.linkItem(atPath: place + name, toPath: other + name)
        for folder in [place, other] {
            let answer = try larder("rate", "soup", "3", "--store", store(folder))
            #expect(answer.status == 69 && answer.errors.contains("has 2 names (hard links)"), "\(answer.errors)")
        }
        try files.removeItem(atPath: other + name)
        #expect(try larder("rate", "soup", "3", "--store", store(place)).status == 0)
    }
}
