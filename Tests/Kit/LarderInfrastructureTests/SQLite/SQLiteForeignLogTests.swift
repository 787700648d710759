import CLarderSQLite
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Logs, journals and indexes next to a database for which they were not written.
@Suite(.serialized) struct SQLiteForeignLogTests {
    private static let accesses = [SQLiteStore.Access.readWrite, .readOnly, .readOnlyAfterUpgrade]

    /// The files of a database, by suffix, as a killed process leaves them.
    private typealias Files = [String: Data]

    private func files(_ scratch: Scratch) -> Files {
        var files: Files = [:]
        for suffix in ["", "-wal", "-journal"] { files[suffix] = scratch.bytes(suffix) }
        return files
    }

    private func put(_ files: Files, in scratch: Scratch) throws {
        try? FileManager.default.removeItem(atPath: scratch.folder)
        try FileManager.default.createDirectory(atPath: scratch.folder, withIntermediateDirectories: true)
        for (suffix, bytes) in files { try bytes.write(to: URL(filePath: scratch.path + suffix)) }
    }

    private func refusal(_ scratch: Scratch, _ access: SQLiteStore.Access = .readWrite) async -> PersistencyError? {
        await failure { () async throws(PersistencyError) in
            let configuration = SQLiteStore.Configuration(.file(scratch.path), access: access, busyTimeout: .zero)
            guard let schemas = try? Sample.schemas() else { return }
            await (try SQLiteStore.open(configuration, schemas: schemas)).close()
        }
    }

    /// Every kind of opening refuses the files, names one of them, and changes none.
    private func expectRefusal(of found: Files, naming suffix: String, _ comment: Comment) async throws {
        let scratch = Scratch()
        try put(found, in: scratch)
        for access in Self.accesses {
            let error = await refusal(scratch, access)
            #expect(error?.summary == "unavailable failed", comment)
            #expect(error?.description.contains("\(scratch.path)\(suffix) was not written for") == true, comment)
            #expect(files(scratch) == found, comment)
        }
    }

    private func tags(_ scratch: Scratch) async throws -> Int {
        let store = try await scratch.open()
        let count = try await store.read(ReadRequest(Sample.tag)).items.count
        try await store.insert(Sample.tag(9999, "one more"))
        await store.close()
        return count
    }

    /// A closed database with a tag.
    private func closed(_ scratch: Scratch) async throws {
        let store = try await scratch.open()
        try await store.insert(Sample.tag(1, "tag 1"))
        await store.close()
    }

    @Test(arguments: ["-wal", "-journal"])
    func `no database is created next to the files of a deleted one`(suffix: String) async throws {
        let scratch = Scratch()
        try put([suffix: Data([1])], in: scratch)
        for access in [SQLiteStore.Access.readWrite, .readOnlyAfterUpgrade] {
            let error = await refusal(scratch, access)
            #expect(error?.summary == "unavailable failed")
            #expect(error?.description.contains("\(scratch.path)\(suffix). No file was changed") == true)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder)
        #expect(Set(names) == ["db.sqlite" + suffix, "db.sqlite.lock"])
        try FileManager.default.removeItem(atPath: scratch.path + suffix)
        // An empty log, and an index, which a reader leaves.
        try put(["-wal": Data(), "-shm": Data(repeating: 1, count: 32768)], in: scratch)
        #expect(try await tags(scratch) == 0)
        #expect(scratch.bytes("-wal") == nil && scratch.bytes("-shm") == nil)
    }

    @Test func `the log of another database is not applied, and neither is an older or newer copy`() async throws {
        let (scratch, other) = (Scratch(), Scratch())
        try await closed(scratch)
        try await closed(other)
        let store = try await scratch.open()
        try await store.insert(Sample.tag(2, "tag 2"))
        let first = files(scratch)
        await store.close()
        let again = try await scratch.open()
        try await again.insert(Sample.tag(3, "tag 3"))
        let second = files(scratch)
        await again.close()
        let foreign = try #require(files(other)[""])
        let log = try #require(first["-wal"])
        try await expectRefusal(of: ["": foreign, "-wal": log], naming: "-wal", "another database")
        let newer = try #require(files(scratch)[""])
        try await expectRefusal(of: ["": newer, "-wal": log], naming: "-wal", "an older log")
        let older = try #require(first[""])
        second["-wal"].map { #expect(!$0.isEmpty) }
        var mixed = second
        mixed[""] = older
        try await expectRefusal(of: mixed, naming: "-wal", "a newer log")
        // Each file with its own log.
        for (files, count) in [(first, 2), (second, 3)] {
            let copy = Scratch()
            try put(files, in: copy)
            #expect(try await tags(copy) == count)
        }
    }

    @Test func `a log belongs to its file in each state of a checkpoint, also with several marks`() async throws {
        let scratch = Scratch()
        try await closed(scratch)
        let writer = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
        writer.fileMark = try SQLiteFileMark.read(writer)
        try #require(writer.fileMark != nil)
        writer.isMarkDue = true
        writer.watchLog()
        func write(_ number: Int) throws {
            try writer.beginWriting()
            let id = String(repeating: "\(number)", count: 2)
            try writer.execute("INSERT INTO tag VALUES (x'\(id)\(String(repeating: "0", count: 30))', 1, 'w\(number)')")
            try writer.commit()
        }
        try write(2)
        // It prevents the log from restarting, but not a complete checkpoint.
        let reader = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READONLY)
        try reader.begin()
        _ = try reader.integer("SELECT count(*) FROM tag")
        let before = try #require(scratch.bytes())
        let (frames, moved) = try #require(try writer.checkpoint(.passive))
        try #require(frames == moved && writer.isMarkDue)
        try write(3)
        let log = try #require(scratch.bytes("-wal"))
        let marks = try marks(scratch)
        #expect(marks.count == 2 && Set(marks).count == 2)
        reader.rollBack()
        _ = try writer.checkpoint(.passive)
        let after = try #require(scratch.bytes())
        for page in 0...after.count / 4096 {
            for (old, new) in [(before, after), (after, before)] {
                let copy = Scratch()
                let place = min(page * 4096, old.count)
                try put(["": old.prefix(place) + new.dropFirst(place), "-wal": log], in: copy)
                #expect(try await tags(copy) == 3, "page \(page)")
            }
        }
    }

    private func marks(_ scratch: Scratch) throws -> [Data] {
        var marks: [Data] = []
        let log = try #require(try SQLiteLogFile(scratch.path + "-wal"))
        try log.forEachMark { _, mark in
            marks.append(Data("\(mark)".utf8))
            return true
        }
        return marks
    }

    @Test func `a database without a mark opens with its log, and gets a mark`() async throws {
        let scratch = Scratch()
        try await closed(scratch)
        let other = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE)
        // As by an earlier version of the program.
        try other.execute("DROP TABLE larder_file")
        try other.execute("INSERT INTO tag VALUES (x'\(String(repeating: "02", count: 16))', 1, 'theirs')")
        let files = files(scratch)
        try #require(files["-wal"]?.isEmpty == false)
        let copy = Scratch()
        try put(files, in: copy)
        let store = try await copy.open()
        // Killed before and after the first commit.
        let opened = self.files(copy)
        try await store.insert(Sample.tag(3, "tag 3"))
        let written = self.files(copy)
        await store.close()
        for (files, count) in [(opened, 2), (written, 3)] {
            let killed = Scratch()
            try put(files, in: killed)
            #expect(try await tags(killed) == count)
        }
        try await expectRefusal(
            of: ["": try #require(files[""]), "-wal": try #require(written["-wal"])], naming: "-wal", "no mark")
    }

    @Test func `a rollback journal is not applied to a database with a log`() async throws {
        let scratch = Scratch()
        try await closed(scratch)
        var files = files(scratch)
        files["-journal"] = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]) + Data(count: 504)
        try await expectRefusal(of: files, naming: "-journal", "a journal")
        // SQLite ignores a journal that was invalidated.
        files["-journal"] = Data(count: 512)
        try put(files, in: scratch)
        #expect(try await tags(scratch) == 1)
    }

    @Test func `a restore does not apply the log of another database to the one that it replaces`() async throws {
        let (scratch, other) = (Scratch(), Scratch())
        try await closed(scratch)
        let backup = scratch.folder + "/backup"
        let store = try await scratch.open()
        _ = try await Backup.write(store, to: backup)
        await store.close()
        let foreign = try await other.open()
        try await foreign.insert(Sample.tag(1, "foreign"))
        try #require(other.bytes("-wal")).write(to: URL(filePath: scratch.path + "-wal"))
        await foreign.close()
        let before = files(scratch)
        let error = await failure { () async throws(PersistencyError) in
            guard let schemas = try? Sample.schemas() else { return }
            try await SQLiteStore.restore(backup, to: scratch.path, schemas: schemas, replacing: true)
        }
        #expect(error?.description.contains("-wal was not written for") == true)
        #expect(files(scratch) == before)
    }
}
