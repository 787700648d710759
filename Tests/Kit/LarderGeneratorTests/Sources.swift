import Foundation

@testable import LarderGenerator

/// Databases of SQLite for the tests.
enum Sources {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Schemas")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: "\(name).sql"), encoding: .utf8)
    }

    /// Creates a database by the shell, and reads its schema.
    static func schema(_ sql: String, in scratch: Scratch) throws -> SourceSchema {
        try Shell.schema(of: "sqlite:\(create(sql, in: scratch))", in: scratch.folder)
    }

    /// The name of a new database.
    static func create(_ sql: String, in scratch: Scratch) throws -> String {
        let (process, name) = (Process(), "\(UUID().uuidString).db")
        process.executableURL = URL(filePath: "/usr/bin/env")
        // A statement that starts with a comment would be an option.
        process.arguments = ["sqlite3", "-batch", "-bail", scratch.folder.appending(path: name).path, " " + sql]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Refusal("sqlite3 refuses the statements of the test") }
        return name
    }
}
