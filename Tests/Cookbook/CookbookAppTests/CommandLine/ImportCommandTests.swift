import CookbookDomain
import CLarderSQLite
import Foundation
import LarderTesting
import Testing

struct ImportCommandTests {
    private let good = #"{"@type":"Recipe","name":"Good"}"#

    @Test func `an import prints counts, and no progress in a pipe`() throws {
        let larder = try LarderProcess.withRecipes()
        let again = try larder("import", larder.folder.path + "/recipes.jsonl")
        #expect(again.status == 0)
        #expect(again.output == "0 new, 0 updated, 2 unchanged, 0 failed\n")
        #expect(again.errors == "")
    }

    @Test func `standard input can be imported`() throws {
        let answer = try LarderProcess()("import", "-", input: good)
        #expect(answer.status == 0)
        #expect(answer.output == "1 new, 0 updated, 0 unchanged, 0 failed\n")
    }

    @Test func `a bad item is reported with file, line and reason, and the others are imported`() throws {
        let answer = try LarderProcess()("import", "-", input: "\(good)\n{\"@type\":\"Recipe\"}\n")
        #expect(answer.status == 65)
        #expect(answer.output == "1 new, 0 updated, 0 unchanged, 1 failed\n")
        #expect(
            answer.errors == "-:2: has no name\nlarder: one item failed; all others were imported\n"
                + "Correct it and import again; recipes that are already stored stay unchanged.\n")
    }

    @Test(arguments: [#"{"@type":"Recipe"}"#, #"{"@type":"Recipe","name":"\u0000"}"#])
    func `strict imports everything or nothing`(bad: String) throws {
        let larder = try LarderProcess()
        let answer = try larder("import", "--strict", "-", input: "\(good)\n\(bad)\n")
        #expect(answer.status == 65)
        #expect(answer.output == "0 new, 0 updated, 0 unchanged, 1 failed\n")
        #expect(try larder("stats", "--json").output.contains(#""recipes":0"#))
        #expect(try larder("import", "--strict", "-", input: good).status == 0)
        #expect(try larder("stats", "--json").output.contains(#""recipes":1"#))
    }

    @Test func `the report is available in JSON`() throws {
        let input = #"{"@type":"Recipe","name":"Good","nutrition":{}}"# + "\nx\n"
        let answer = try LarderProcess()("import", "--json", "-", input: input)
        #expect(answer.status == 65)
        #expect(
            answer.output
                == #"{"failed":[{"file":"-","line":2,"reason":"cannot be read as JSON: a value is expected (column 1)"}],"#
                + #""inserted":1,"#
                + #""notKept":{"nutrition":1},"notes":[{"file":"-","line":1,"notKept":["nutrition"]}],"passedOver":{},"#
                + #""unchanged":0,"updated":0}"# + "\n")
    }

    @Test func `a long keyword is left out and named, a long name refuses the recipe`() throws {
        let long = String(repeating: "x", count: 201)
        let input =
            #"{"@type":"Recipe","name":"Good","keywords":["\#(long)"]}"# + "\n"
            + #"{"@type":"Recipe","name":"\#(long)"}"#
        let answer = try LarderProcess()("import", "-", input: input)
        let note = "keywords (longer than 100 characters: '\(long.prefix(40))…')"
        #expect(
            answer.output == "1 new, 0 updated, 0 unchanged, 1 failed\nnot imported: \(note) (1)\n  -:1: \(note)\n")
        #expect(answer.errors.hasPrefix("-:2: name must have 1 to 200 characters\n"))
    }

    @Test func `only the first ten bad items are listed, without ignored properties`() throws {
        let bad = #"{"@type":"Recipe","nutrition":{}}"# + "\n"
        let answer = try LarderProcess()("import", "-", input: String(repeating: bad, count: 12))
        #expect(answer.output == "0 new, 0 updated, 0 unchanged, 12 failed\n")
        let lines = answer.errors.split(separator: "\n").map(String.init)
        #expect(lines.count == 13)
        #expect(
            lines[9...] == [
                "-:10: has no name", "… and 2 more; --json lists all", "larder: nothing was imported: 12 items failed",
                "Correct it and import again; recipes that are already stored stay unchanged.",
            ])
    }

    @Test func `an invalid date is reported`() throws {
        let answer = try LarderProcess()(
            "import", "-", input: #"{"@type":"Recipe","name":"Good","datePublished":"yesterday"}"#)
        #expect(answer.status == 0)
        #expect(answer.output.hasSuffix("not imported: datePublished (not a date: 'yesterday') (1)\n"))
    }

    @Test func `a missing file is reported as not found`() throws {
        let answer = try LarderProcess()("import", "/nowhere/recipes.jsonl")
        #expect(answer.status == 66)
        #expect(
            answer.errors == "larder: cannot read /nowhere/recipes.jsonl: No such file or directory\nCheck the path.\n")
    }

    @Test func `a missing file does not undo earlier files, and the report says so`() throws {
        let larder = try LarderProcess()
        let lines = (1...60).map { #"{"@type":"Recipe","name":"\#($0)"}"# } + ["{bad"]
        let file = try larder.folder.file("60.jsonl", lines.joined(separator: "\n"))
        let answer = try larder("import", file, larder.folder.path + "/missing.jsonl", file)
        #expect(answer.status == 66)
        #expect(answer.output == "60 new, 0 updated, 0 unchanged, 1 failed\n")
        let fault = "\(file):61: cannot be read as JSON: a name in double quotes is expected (column 2)\n"
        #expect(answer.errors.hasPrefix(fault + "larder: cannot read \(larder.folder.path)/missing"))
        #expect(try larder("stats", "--json").output.contains(#""recipes":60"#))
        let strict = try larder("import", "--strict", "--json", file, "/nowhere", input: "")
        #expect(strict.status == 66)
        #expect(strict.output.contains(#""inserted":0"#) && strict.output.contains(#""line":61"#))
        #expect(try larder("import", "--strict", "-", "/nowhere", input: good).output.isEmpty)
    }

    @Test func `an export is unchanged after an import into another store`() throws {
        let larder = try LarderProcess.withRecipes()
        _ = try larder("rate", "soup", "4")
        _ = try larder("tags", "rename", "hot", " very hot ")
        let first = try larder("export").output
        let other = "sqlite:\(larder.folder.path)/other/store.sqlite"
        #expect(try larder("import", "--store", other, "-", input: first).status == 0)
        #expect(try larder("export", "--store", other).output == first)
        #expect(first.contains(#""larder:rating":4"#))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `an interrupted import reports what is stored, also while it waits for input`(
        signal: Int32
    ) async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store.sqlite"
        let larder = try LarderProcess()
        let (output, errors) = (try folder.file("output", ""), try folder.file("errors", ""))
        let process = larder.process(["import", "-", "--store", "sqlite:" + store], variables: [:])
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        // One batch is stored; the rest waits for more input.
        let count = ImportRecipes.batchSize
        let lines = (1...count + 20).map { #"{"@type":"Recipe","name":"Soup \#($0)"}"# + "\n" }.joined()
        try input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
        try await until { Self.recipes(in: store) == count }
        kill(process.processIdentifier, signal)
        try await until { !process.isRunning }
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 128 + signal)
        #expect(
            try String(contentsOfFile: output, encoding: .utf8) == "\(count) new, 0 updated, 0 unchanged, 0 failed\n")
        let said = try String(contentsOfFile: errors, encoding: .utf8)
        #expect(said.contains("larder: stopped by ") && said.hasSuffix("counted recipes are stored\n"), "\(said)")
        #expect(Self.recipes(in: store) == count)
    }

    private struct NeverSo: Error {}

    /// Polls for at least a minute; attempts are counted because the test itself may wait for its turn.
    private func until(_ isSo: () -> Bool) async throws {
        for _ in 0..<6_000 {
            if isSo() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NeverSo()
    }

    /// The number of recipes in a database, read with SQLite directly; `nil` if there is no database yet.
    private static func recipes(in path: String) -> Int? {
        var (connection, statement): (OpaquePointer?, OpaquePointer?)
        defer {
            unsafe sqlite3_finalize(statement)
            unsafe sqlite3_close(connection)
        }
        guard unsafe sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
            unsafe sqlite3_prepare_v2(connection, "SELECT count(*) FROM recipe", -1, &statement, nil) == SQLITE_OK,
            unsafe sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return Int(unsafe sqlite3_column_int64(statement, 0))
    }
}
