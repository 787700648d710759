import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if SQLCipher
import Foundation
#endif

#if SQLCipher
/// Databases that are sealed as a whole by SQLCipher.
struct SQLiteSealTests {
    private static let canary = "canary-of-the-sealed-tag"
    private let scratch = Scratch()
    private let first = try? Passphrase("correct horse")
    private let second = try? Passphrase("battery staple'\"")

    private func open(
        _ passphrase: Passphrase?, _ access: SQLiteStore.Access = .readWrite
    ) async throws(PersistencyError) -> SQLiteStore {
        guard let schemas = try? Sample.schemas() else { throw .unknownEntity("sample") }
        return try await SQLiteStore.open(
            .init(.file(scratch.path), access: access, passphrase: passphrase), schemas: schemas)
    }

    private func fill(_ passphrase: Passphrase?) async throws {
        let store = try await open(passphrase)
        try await store.insert(Sample.tag(1, Self.canary))
        #expect(try await store.read(Sample.id(1), of: Sample.tag)?.values == [.text(Self.canary)])
        await store.close()
    }

    private func error(_ passphrase: Passphrase?, _ access: SQLiteStore.Access = .readWrite) async -> PersistencyError?
    {
        await failure { () async throws(PersistencyError) in _ = try await open(passphrase, access) }
    }

    /// The output of a shell, with its errors.
    private func shell(_ program: String, _ commands: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program, scratch.path]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
        try process.run()
        input.fileHandleForWriting.write(Data(commands.utf8))
        try input.fileHandleForWriting.close()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    /// The files that contain a text in plain.
    private func leaks(_ text: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.folder).filter {
            FileManager.default.contents(atPath: "\(scratch.folder)/\($0)")?.range(of: Data(text.utf8)) != nil
        }
    }

    @Test func `the process has loaded one library of SQLite`() throws {
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
        let maps = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
        #expect(maps.contains("libsqlcipher") && !maps.contains("libsqlite3"))
    }

    @Test func `the shell of SQLite cannot read the file, and that of SQLCipher can`() async throws {
        try await fill(first)
        #expect(try shell("sqlite3", "SELECT name FROM tag;\n").contains("not a database"))
        let found = try shell("sqlcipher", "PRAGMA key = 'correct horse'; SELECT name FROM tag;\n")
        #expect(found.contains(Self.canary))
    }

    @Test func `no file contains a text of the store, while it is open, after a migration and a change of passphrase`()
        async throws
    {
        let store = try await open(first)
        for number in 1...200 { try await store.insert(Sample.tag(number, Self.canary + "\(number)")) }
        try #expect(leaks(Self.canary).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder).contains("db.sqlite-wal"))
        await store.close()
        let files = try SQLiteFiles(scratch.path)
        let opening = SQLiteOpening(
            configuration: .init(.file(scratch.path), passphrase: first), plan: try SQLPlan(Sample.schemas()))
        try files.copy(opening.reader(files), version: 1, first)
        try await SQLiteStore.changePassphrase(ofDatabase: scratch.path, from: first, to: second)
        try #expect(leaks(Self.canary).isEmpty && leaks("correct horse").isEmpty && leaks("battery").isEmpty)
        let copy = try SQLiteConnection(files.copyPath(ofVersion: 1), flags: 1, passphrase: first)
        #expect(try copy.integer("SELECT count(*) FROM tag") == 200)
    }

    @Test func `a wrong, a missing and an unexpected passphrase are different errors, and change no byte`() async throws
    {
        try await fill(first)
        let before = scratch.bytes()
        for access in [SQLiteStore.Access.readWrite, .readOnly, .readOnlyAfterUpgrade] {
            #expect(await error(second, access)?.passphraseError == .wrong)
            let missing = await error(nil, access)
            guard case .incompatible(let message) = missing else {
                Issue.record("\(String(describing: missing))")
                continue
            }
            #expect(message.contains("a passphrase seals it"))
        }
        #expect(scratch.bytes() == before)
        try await SQLiteStore.changePassphrase(ofDatabase: scratch.path, from: first, to: nil)
        for access in [SQLiteStore.Access.readWrite, .readOnly] {
            #expect(await error(first, access)?.passphraseError == .unexpected)
        }
    }

    @Test func `damage behind the first page is not reported as a wrong passphrase`() async throws {
        try await fill(first)
        let bytes = try #require(scratch.bytes())
        try bytes.dropLast(7).write(to: URL(fileURLWithPath: scratch.path))
        let short = try #require(await error(first))
        #expect(short.passphraseError == nil && "\(short)".contains("damaged"), "\(short)")
        var flipped = bytes
        for place in stride(from: 1024 + 500, to: flipped.count, by: 1024) { flipped[place] ^= 1 }
        try flipped.write(to: URL(fileURLWithPath: scratch.path))
        let damaged = try #require(await error(first))
        #expect(damaged.passphraseError == nil, "\(damaged)")
    }

    @Test func `a plain database can be sealed, get another passphrase, and be plain again`() async throws {
        try await fill(nil)
        var last: Passphrase?
        for next in [first, second, nil] {
            try await SQLiteStore.changePassphrase(ofDatabase: scratch.path, from: last, to: next)
            let store = try await open(next)
            #expect(try await store.read(Sample.id(1), of: Sample.tag)?.values == [.text(Self.canary)])
            #expect(try await store.integrityProblems().isEmpty)
            await store.close()
            last = next
        }
        let wrong = await failure { () async throws(PersistencyError) in
            try await SQLiteStore.changePassphrase(ofDatabase: scratch.path, from: first, to: second)
        }
        #expect(wrong?.passphraseError == .unexpected)
        let store = try await open(nil)
        let open = await failure { () async throws(PersistencyError) in
            try await SQLiteStore.changePassphrase(ofDatabase: scratch.path, from: nil, to: second)
        }
        #expect(open?.summary == "alreadyOpen")
        await store.close()
    }

    @Test func `a plain backup of a sealed database is refused`() async throws {
        let store = try await open(first)
        let path = scratch.folder + "/backup"
        let refused = await failure { () async throws(PersistencyError) in _ = try await Backup.write(store, to: path) }
        #expect(refused?.passphraseError == .plainBackup)
        #expect(!FileManager.default.fileExists(atPath: path))
        await store.close()
    }
}
#else
/// The library is SQLite's, which seals nothing.
struct SQLiteSealTests {
    @Test func `without SQLCipher, a passphrase is refused and no file is created`() async throws {
        let scratch = Scratch()
        let (passphrase, schemas) = (try Passphrase("correct horse"), try Sample.schemas())
        let opened = await failure { () async throws(PersistencyError) in
            _ = try await SQLiteStore.open(.init(.file(scratch.path), passphrase: passphrase), schemas: schemas)
        }
        let changed = await failure { () async throws(PersistencyError) in
            try await SQLiteStore.changePassphrase(ofDatabase: scratch.path, from: nil, to: passphrase)
        }
        for error in [opened, changed] {
            #expect(error?.passphraseError == .unsupported)
            #expect("\(String(describing: error))".contains("trait SQLCipher"))
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.folder))
    }
}
#endif
