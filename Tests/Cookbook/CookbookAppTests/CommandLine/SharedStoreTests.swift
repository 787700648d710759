import Foundation
import LarderTesting
import Testing

/// Commands while other processes use the same store, and stores damaged or left by a killed process.
struct SharedStoreTests {
    private let larder: LarderProcess

    init() throws {
        larder = try LarderProcess.withRecipes()
    }

    private var database: String { larder.folder.path + "/.local/share/larder/larder.sqlite" }

    @Test func `a database is read while it is served, and while others read`() async throws {
        let serve = try ServeProcess(larder, ["--http-port", "0"])
        _ = try await serve.port()
        for _ in 0..<10 {
            let answer = try larder("list")
            #expect(answer.status == 0 && answer.output.contains("Soup"), "\(answer.errors)")
        }
        #expect(try larder("rate", "soup", "5").errors.contains("serving 127.0.0.1"))
        #expect(try await serve.end(SIGTERM).status == 0)
        // Concurrent processes, each of which would conflict over the lock.
        let processes = (0..<8).map { _ in larder.process(["list"], variables: [:]) }
        for process in processes {
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
        }
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }

    @Test func `a command waits for the lock of a file store, and then reports its holder`() async throws {
        let store = "file:" + larder.folder.path + "/kept"
        let recipes = larder.folder.path + "/recipes.jsonl"
        #expect(try larder("import", recipes, "--store", store).status == 0)
        let processes = (0..<4).map { _ in larder.process(["list", "--store", store], variables: [:]) }
        for process in processes {
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
        }
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        let serve = try ServeProcess(larder, ["--http-port", "0", "--store", store])
        let port = try await serve.port()
        let answer = try larder("list", "--store", store)
        #expect(answer.status == 75)
        #expect(answer.errors.contains("by pid \(serve.process.processIdentifier) host "), "\(answer.errors)")
        #expect(answer.errors.contains("serving 127.0.0.1"), "\(answer.errors) \(port)")
        #expect(try await serve.end(SIGTERM).status == 0)
    }

    @Test func `an empty or truncated database is refused by every command, and is not changed`() throws {
        let whole = try Data(contentsOf: URL(filePath: database))
        for bytes in [Data(), Data(whole.dropLast(100)), Data(whole.dropLast(4096))] {
            try bytes.write(to: URL(filePath: database))
            for command in [["export"], ["list"], ["verify"], ["rate", "soup", "3"]] {
                let answer = try larder.run(command, input: larder.folder.file("nothing", ""))
                #expect(answer.status == 69 && answer.output.isEmpty, "\(command): \(answer.errors)")
                #expect(answer.errors.contains(bytes.isEmpty ? "is empty" : "is damaged"), "\(answer.errors)")
            }
            #expect(try Data(contentsOf: URL(filePath: database)) == bytes)
        }
    }

    @Test func `verify finds no errors in a sound store of each kind, also while it is served`() async throws {
        let recipes = larder.folder.path + "/recipes.jsonl"
        let store = "file:" + larder.folder.path + "/kept"
        #expect(try larder("import", recipes, "--store", store).status == 0)
        let kept = try larder("verify", "--store", store)
        #expect(kept.status == 0 && kept.output.isEmpty && kept.errors.contains("0 problems"), "\(kept.errors)")
        let serve = try ServeProcess(larder, ["--http-port", "0"])
        _ = try await serve.port()
        let served = try larder("verify")
        #expect(served.status == 0 && served.output.isEmpty && served.errors.contains("0 problems"), "\(served.errors)")
        #expect(try await serve.end(SIGTERM).status == 0)
        #expect(try larder("verify", "--store", "file:" + larder.folder.path + "/none").status == 66)
    }

    @Test func `a recovery is reported, and the dropped data is kept`() throws {
        let folder = larder.folder.path + "/kept"
        let recipes = larder.folder.path + "/recipes.jsonl"
        #expect(try larder("import", recipes, "--store", "file:" + folder).status == 0)
        // The state that a process leaves when it is killed during a write.
        try FileManager.default.removeItem(atPath: folder + "/larder.closed")
        let log = URL(filePath: folder + "/larder.log")
        try (Data(contentsOf: log) + Data([0x4C, 0x72, 0x64, 0, 0])).write(to: log)
        let answer = try larder("list", "--store", "file:" + folder)
        #expect(answer.status == 0 && answer.output.contains("Soup"))
        let words = "larder: recovered the store: dropped the last 5 bytes of "
        #expect(answer.errors.hasPrefix(words), "\(answer.errors)")
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("dropped") }
        #expect(kept.count == 1)
        #expect(try !larder("list", "--store", "file:" + folder).errors.contains("recovered"))
    }

    @Test(arguments: ["sqlite", "file"]) func `a check whose output is closed leaves no temporary folder`(
        kind: String
    ) throws {
        let temporary = larder.folder.path + "/temporary"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let process = larder.process(["check", "--store", kind + ":"], variables: ["TMPDIR": temporary])
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try pipe.fileHandleForReading.close()
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 74)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    }

    @Test func `a service whose database is removed is not ready, refuses changes, and logs the path`()
        async throws
    {
        let serve = try ServeProcess(larder, ["--http-port", "0"])
        let port = try await serve.port()
        let token = try #require(try serve.token())
        try FileManager.default.removeItem(atPath: database)
        let ready = LocalPort.get("/health/ready", port)
        #expect(ready.hasPrefix("HTTP/1.1 503 "), "\(ready)")
        let body = #"{"name":"late"}"#
        let request = """
            POST /v1/tags HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer \(token)\r\n\
            Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        let made = LocalPort.send([Array(request.utf8)], to: port)
        #expect(made.hasPrefix("HTTP/1.1 503 "), "\(made)")
        let answer = try await serve.end(SIGTERM)
        let lines = answer.errors.split(separator: "\n").filter { $0.contains("deleted or replaced") }
        #expect(lines.count >= 2 && lines.allSatisfy { $0.contains("larder.sqlite") }, "\(answer.errors)")
    }
}
