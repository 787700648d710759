import CLarderSQLite
import Foundation
import LarderTesting
import Testing

/// A service whose log cannot restart, because another process reads.
struct BlockedLogTests {
    private let larder: LarderProcess

    init() throws {
        larder = try LarderProcess.withRecipes()
    }

    private var database: String { larder.folder.path + "/.local/share/larder/larder.sqlite" }

    private func send(
        _ method: String, _ path: String, _ type: String, _ body: [UInt8], _ token: String, _ port: Int
    )
        -> String
    {
        let head = """
            \(method) \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer \(token)\r\n\
            If-None-Match: *\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n
            """
        return LocalPort.send([Array(head.utf8) + body], to: port)
    }

    /// Adds a recipe with a photo of one megabyte.
    private func addPhoto(_ number: Int, _ token: String, _ port: Int) throws -> String {
        let recipe = send(
            "POST", "/v1/recipes", "application/json", Array(#"{"name":"Recipe \#(number)"}"#.utf8), token, port)
        guard let path = recipe.firstMatch(of: #/(?i:location): (/v1/recipes/[^\r]+)/#)?.output.1 else { return recipe }
        return send(
            "PUT", "\(path)/photo", "image/gif", Array("GIF89a".utf8) + Array(repeating: 7, count: 1 << 20), token, port
        )
    }

    @Test func `commits above the limit of the log are refused, the reader is named, and the log shrinks after it`()
        async throws
    {
        let serve = try ServeProcess(larder, ["--http-port", "0"], variables: ["LARDER_DURABILITY": "normal"])
        let port = try await serve.port()
        let token = try #require(try serve.token())
        var handle: OpaquePointer?
        try #require(unsafe sqlite3_open_v2(database, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        try #require(unsafe sqlite3_exec(handle, "BEGIN; SELECT count(*) FROM recipe", nil, nil, nil) == SQLITE_OK)
        func logSize() throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: database + "-wal")[.size] as? Int)
        }
        var (answer, number) = ("", 0)
        while !answer.hasPrefix("HTTP/1.1 503 "), number < 100 {
            number += 1
            answer = try addPhoto(number, token, port)
        }
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && (30..<64).contains(number), "\(number) \(answer.prefix(300))")
        #expect(try logSize() < 64 << 20)
        #expect(LocalPort.get("/metrics", port, token: token).contains("store_log_blocked 1"))
        unsafe sqlite3_close(handle)
        #expect(try addPhoto(200, token, port).hasPrefix("HTTP/1.1 201 "))
        #expect(try logSize() < 16 << 20)
        let errors = try await serve.end(SIGTERM).errors
        let lines = errors.split(separator: "\n").filter { $0.contains("store log blocked") }
        #expect(lines.count == 1 && lines.allSatisfy { $0.contains("process \(getpid()) ") }, "\(lines)")
    }
}
