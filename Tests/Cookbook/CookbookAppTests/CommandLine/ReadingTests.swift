import CLarderSQLite
import Foundation
import LarderTesting
import Testing

/// Commands that only read change and create no file, and find damage that no store writes.
struct ReadingTests {
    private let larder: LarderProcess
    private let files = FileManager.default

    init() throws {
        larder = try LarderProcess.withRecipes()
    }

    private var database: String { larder.folder.path + "/.local/share/larder/larder.sqlite" }

    /// Changes the database as another program does.
    private func change(_ text: String) throws {
        var handle: OpaquePointer?
        try #require(unsafe sqlite3_open(database, &handle) == SQLITE_OK)
        defer { unsafe sqlite3_close(handle) }
        try #require(unsafe sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK)
    }

    /// The names, sizes and times of the files in a folder.
    private func listing(_ folder: String) throws -> [String] {
        try files.contentsOfDirectory(atPath: folder).sorted().map { name in
            let attributes = try files.attributesOfItem(atPath: folder + "/" + name)
            return "\(name) \(attributes[.size] ?? "") \(attributes[.modificationDate] ?? "")"
        }
    }

    @Test(arguments: ["-3", "9223372036854775807"])
    func `verify names an object whose version is outside its range, and a backup does`(version: String) throws {
        try change("UPDATE recipe SET version = \(version) WHERE name = 'Soup'")
        let answer = try larder("verify")
        #expect(answer.status != 0 && answer.output.contains("has the version \(version), which is outside its range"))
        let backup = try larder("backup", larder.folder.path + "/backup")
        #expect(backup.status == 69 && backup.errors.contains("has the version \(version)"), "\(backup.errors)")
    }

    @Test func `verify does not add a missing row of the schema`() throws {
        try change("DELETE FROM larder_schema WHERE entity = 'recipe' AND name = 'summary'")
        let bytes = try #require(files.contents(atPath: database))
        let folder = larder.folder.path + "/.local/share/larder"
        let before = try listing(folder)
        let answer = try larder("verify")
        #expect(answer.status == 69 && answer.errors.contains("must be migrated first"), "\(answer.errors)")
        #expect(try files.contents(atPath: database) == bytes && listing(folder) == before)
    }

    @Test(arguments: ["sqlite", "file"]) func `a read-only store creates no file, and needs no lock`(
        kind: String
    ) throws {
        let folder = larder.folder.path + "/place"
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let store = kind == "sqlite" ? "sqlite:\(folder)/db" : "file:\(folder)"
        #expect(try larder("import", larder.folder.path + "/recipes.jsonl", "--store", store).status == 0)
        try files.removeItem(atPath: folder + (kind == "sqlite" ? "/db.lock" : "/larder.lock"))
        let before = try listing(folder)
        for command in [["list", "--store", "read-only(\(store))"], ["verify", "--store", store]] {
            let answer = try larder.run(command, input: larder.folder.file("nothing", ""))
            #expect(answer.status == 0, "\(command): \(answer.errors)")
            #expect(try listing(folder) == before, "\(command)")
        }
        let answer = try larder("rate", "soup", "3", "--store", "read-only(\(store))")
        #expect(answer.status == 69, "\(answer.errors)")
        #expect(try listing(folder) == before)
        let missing = larder.folder.path + "/missing"
        _ = try larder("list", "--store", "read-only(\(kind):\(missing))")
        #expect(!files.fileExists(atPath: missing))
    }
}
