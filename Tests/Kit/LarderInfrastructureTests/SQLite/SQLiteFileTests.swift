import CLarderSQLite
import LarderData
import LarderDomain
import Synchronization
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Databases that are empty, incomplete, truncated, or removed while open.
@Suite(.serialized) struct SQLiteFileTests {
    let scratch = Scratch()
    private static let accesses = [SQLiteStore.Access.readWrite, .readOnly, .readOnlyAfterUpgrade]

    private func refusal(_ access: SQLiteStore.Access = .readWrite) async -> PersistencyError? {
        guard let schemas = try? Sample.schemas() else { return nil }
        return await failure { () async throws(PersistencyError) in
            let configuration = SQLiteStore.Configuration(.file(scratch.path), access: access, busyTimeout: .zero)
            await (try SQLiteStore.open(configuration, schemas: schemas)).close()
        }
    }

    private func write(_ bytes: Data, _ suffix: String = "") throws {
        try FileManager.default.createDirectory(atPath: scratch.folder, withIntermediateDirectories: true)
        try bytes.write(to: URL(filePath: scratch.path + suffix))
    }

    /// The bytes of a closed database with some tags.
    private func closed() async throws -> Data {
        let store = try await scratch.open()
        for number in 0..<50 { try await store.insert(Sample.tag(number, "tag \(number)")) }
        await store.close()
        return try #require(scratch.bytes())
    }

    @Test func `an empty file is refused, by writers too, with and without a lock file and a log`() async throws {
        try write(Data())
        for access in Self.accesses {
            let error = await refusal(access)
            #expect(error?.summary == "incompatible" && error?.description.contains("is empty") == true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder) == ["db.sqlite"])

        try FileManager.default.removeItem(atPath: scratch.path)
        let store = try await scratch.open(.full)
        try await store.insert(Sample.tag(1, "a"))
        let log = try #require(scratch.bytes("-wal"))
        await store.close()
        try write(Data())
        try write(log, "-wal")
        for access in Self.accesses { #expect(await refusal(access)?.summary == "incompatible") }
        #expect(scratch.bytes() == Data() && scratch.bytes("-wal") == log)
    }

    @Test func `a database with several names is refused for writing, with and without a lock file`() async throws {
        let whole = try await closed()
        let other = Scratch()
        try FileManager.default.createDirectory(atPath: other.folder, withIntermediateDirectories: true)
        try FileManager.default.linkItem(atPath: scratch.path, toPath: other.path)
        for path in [scratch.path, other.path] {
            let error = await failure { () async throws(PersistencyError) in
                guard let schemas = try? Sample.schemas() else { return }
                await (try SQLiteStore.open(.init(.file(path), busyTimeout: .zero), schemas: schemas)).close()
            }
            #expect(error?.summary == "unavailable failed")
            #expect(error?.description.contains("\(path) has 2 names (hard links)") == true)
        }
        #expect(scratch.bytes() == whole)
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.folder) == ["db.sqlite"])
        let reader = try await scratch.open(access: .readOnly)
        #expect(try await reader.read(ReadRequest(Sample.tag)).items.count == 50)
        await reader.close()
        try FileManager.default.removeItem(atPath: other.path)
        #expect(await refusal() == nil)
    }

    @Test func `a database has one lock under all symbolic links, also when its folder is renamed while it is open`()
        async throws
    {
        _ = try await closed()
        let store = try await scratch.open()
        let (moved, link) = (scratch.folder + "-moved", scratch.folder + "-link")
        defer { for path in [moved, link] { try? FileManager.default.removeItem(atPath: path) } }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scratch.path)
        func refusal(_ path: String) async -> PersistencyError? {
            await failure { () async throws(PersistencyError) in
                guard let schemas = try? Sample.schemas() else { return }
                await (try SQLiteStore.open(.init(.file(path), busyTimeout: .zero), schemas: schemas)).close()
            }
        }
        #expect(await refusal(link)?.summary == "alreadyOpen")
        try FileManager.default.moveItem(atPath: scratch.folder, toPath: moved)
        #expect(await refusal(moved + "/db.sqlite")?.summary == "alreadyOpen")
        let error = await failure { () async throws(PersistencyError) in try await store.checkFiles() }
        #expect(error?.description.contains("was deleted or replaced") == true)
        await store.close()
    }

    @Test func `a first opening that fails halfway leaves no database, and the next one begins anew`() async throws {
        let files = try SQLiteFiles(scratch.path, makingFolder: true)
        // The remains of a killed process under the temporary name.
        for suffix in ["", "-journal", "-wal", "-shm"] { try write(Data([1]), ".larder-new" + suffix) }
        #expect(throws: PersistencyError.self) {
            try files.create { path throws(PersistencyError) in
                #expect(path == scratch.path + ".larder-new")
                #expect(!files.exists)
                throw .unavailable(Unavailable(.failed, "killed"))
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder).isEmpty)
        try write(Data([1]), ".larder-new")
        // A name that another program may use.
        try write(Data([1]), ".new")
        #expect(await refusal() == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder)
        #expect(Set(names) == ["db.sqlite", "db.sqlite.lock", "db.sqlite.new"])
    }

    @Test func `a database that is not as long as its pages is refused, and left as it is`() async throws {
        let whole = try await closed()
        let pageSize = 4096
        try #require(whole.count > 3 * pageSize && whole.count % pageSize == 0)
        let cut = [1, 100, pageSize - 1, pageSize, pageSize + 1].map { Data(whole.dropLast($0)) }
        for bytes in cut + [whole + Data([0]), whole + Data(count: pageSize)] {
            try write(bytes)
            for access in Self.accesses {
                let error = await refusal(access)
                #expect(error?.summary == "unavailable failed", "\(bytes.count) of \(whole.count) bytes")
                #expect(error?.description.contains("damaged") == true)
            }
            #expect(scratch.bytes() == bytes)
        }
        try write(whole)
        #expect(await refusal() == nil)
    }

    @Test func `a database that was cut off is refused also once a log was moved to it`() async throws {
        _ = try await closed()
        let first = try await scratch.open()
        try await first.insert(
            StorageObject(
                schema: Sample.cover, id: Sample.id(2),
                values: [.blob([UInt8](repeating: 1, count: 20_000)), .text("L")]))
        await first.close()
        let whole = try #require(scratch.bytes())
        let store = try await scratch.open(.full)
        let cover = StorageObject(schema: Sample.cover, id: Sample.id(1), values: [.blob([1]), .text("Small")])
        try await store.insert(cover)
        let log = try #require(scratch.bytes("-wal"))
        await store.close()
        // The log does not contain all pages, so the last page of the file remains truncated.
        try write(Data(whole.dropLast(100)))
        try write(log, "-wal")
        #expect(await refusal()?.summary == "unavailable failed")
    }

    @Test func `the end of a log that recovery drops is reported and kept`() async throws {
        let store = try await scratch.open(.full)
        for number in 0..<5 { try await store.insert(Sample.tag(number, "\(number)")) }
        let (database, log) = (try #require(scratch.bytes()), try #require(scratch.bytes("-wal")))
        await store.close()
        for missing in [1, 100, 4096, 4097] {
            let torn = Data(log.dropLast(missing))
            try write(database)
            try write(torn, "-wal")
            let reported = Reported()
            let configuration = SQLiteStore.Configuration(.file(scratch.path)) { reported.add($0) }
            let opened = try await SQLiteStore.open(configuration, schemas: Sample.schemas())
            #expect(try await opened.read(ReadRequest(Sample.tag)).items.count == 4)
            await opened.close()
            let tail = try #require(reported.tails.first)
            #expect(reported.tails.count == 1 && tail.offset + tail.size == torn.count)
            #expect(FileManager.default.contents(atPath: tail.copy) == torn.suffix(tail.size))
            #expect(tail.copy.hasPrefix(scratch.path + "-wal-dropped-"))
        }
        // Recovery drops nothing from a complete log, nor from a log that was restarted over an earlier round.
        let reported = Reported()
        for suffix in ["", "-wal"] { try write(suffix.isEmpty ? database : log, suffix) }
        let configuration = SQLiteStore.Configuration(.file(scratch.path)) { reported.add($0) }
        let opened = try await SQLiteStore.open(configuration, schemas: Sample.schemas())
        #expect(try await opened.read(ReadRequest(Sample.tag)).items.count == 5)
        try await opened.insert(Sample.tag(5, "5"))
        let (second, begun) = (try #require(scratch.bytes()), try #require(scratch.bytes("-wal")))
        await opened.close()
        #expect(begun.count == log.count, "the log was not begun anew over the earlier round")
        for suffix in ["", "-wal"] { try write(suffix.isEmpty ? second : begun, suffix) }
        let again = try await SQLiteStore.open(configuration, schemas: Sample.schemas())
        #expect(try await again.read(ReadRequest(Sample.tag)).items.count == 6)
        await again.close()
        #expect(reported.tails.isEmpty)
    }

    @Test(arguments: ["", "-wal", "-shm", ".lock"])
    func `a file that is taken away or replaced while it is open is noticed`(suffix: String) async throws {
        let (store, path) = (try await scratch.open(.full), scratch.path + suffix)
        try await store.insert(Sample.tag(1, "a"))
        try await store.checkFiles()
        let aside = scratch.folder + "/aside"
        for isReplaced in [false, true] {
            try FileManager.default.moveItem(atPath: path, toPath: aside)
            if isReplaced { try FileManager.default.copyItem(atPath: aside, toPath: path) }
            for work in [
                { () async throws(PersistencyError) in try await store.checkFiles() },
                { () async throws(PersistencyError) in _ = try await store.insert(Sample.tag(2, "b")) },
            ] {
                let error = await failure(work)
                #expect(error?.summary == "unavailable failed" && error?.description.contains(path) == true)
            }
            if isReplaced { try FileManager.default.removeItem(atPath: path) }
            try FileManager.default.moveItem(atPath: aside, toPath: path)
        }
        // Nothing has changed, and the original file is back.
        try await store.insert(Sample.tag(2, "b"))
        await store.close()
    }
}

/// Collects the reports of dropped log tails.
final class Reported: Sendable {
    private let all = Mutex<[DroppedTail]>([])

    var tails: [DroppedTail] { all.withLock { $0 } }

    func add(_ tail: DroppedTail) { all.withLock { $0.append(tail) } }
}
