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
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Readers during a write, after the writer's end, and without write permission.
@Suite(.serialized) struct SQLiteSharingTests {
    let scratch = Scratch()

    @Test func `a reader sees each commit of the writer, and writes nothing itself`() async throws {
        let writer = try await scratch.open(.full)
        try await writer.insert(Sample.tag(1, "a"))
        let reader = try await scratch.open(access: .readOnly)
        #expect(try await reader.read(ReadRequest(Sample.tag)).items.count == 1)
        try await writer.insert(Sample.tag(2, "b"))
        #expect(try await reader.read([Sample.id(1), Sample.id(2)], of: Sample.tag).count == 2)
        let error = await failure { () async throws(PersistencyError) in try await reader.insert(Sample.tag(3, "c")) }
        #expect(error?.summary == "unavailable readOnly")
        _ = try await reader.commit(ChangeSet(reads: [Sample.tag(1, "a").expecting(1)]))
        #expect(await reader.measurements().rowsWritten == nil)
        await writer.close()
        #expect(try await reader.read(ReadRequest(Sample.tag)).items.count == 2)
        await reader.close()
        let closed = await failure { () async throws(PersistencyError) in
            _ = try await reader.read([Sample.id(1)], of: Sample.tag)
        }
        #expect(closed?.summary == "unavailable closed")
    }

    @Test func `a reader needs a file with its own schema`() async throws {
        do {
            _ = try await scratch.open(access: .readOnly)
            Issue.record("opened nothing")
        } catch let error as PersistencyError {
            #expect(error.summary == "unavailable failed")
        }
        try await scratch.open().close()
        let more = try SchemaSet(Sample.schemas().roots + [EntitySchema(name: "more", columns: [])])
        do {
            _ = try await scratch.open(access: .readOnly, schemas: more)
            Issue.record("opened with more than there is")
        } catch let error as PersistencyError {
            #expect(error.summary == "incompatible")
        }
    }

    /// Copies the files as a killed writer leaves them.
    func abandon(_ suffixes: [String]) throws -> Scratch {
        let copy = Scratch()
        try FileManager.default.createDirectory(atPath: copy.folder, withIntermediateDirectories: true)
        for suffix in suffixes {
            let bytes = try #require(scratch.bytes(suffix))
            try bytes.write(to: URL(fileURLWithPath: copy.path + suffix))
        }
        return copy
    }

    @Test func `after a writer was killed, a reader and the next writer find its acknowledged commits`()
        async throws
    {
        let writer = try await scratch.open(.full)
        for number in 0..<20 { try await writer.insert(Sample.tag(number, "\(number)")) }
        for suffixes in [["", "-wal", "-shm"], ["", "-wal"]] {
            let copy = try abandon(suffixes)
            let reader = try await copy.open(access: .readOnly)
            #expect(try await reader.read(ReadRequest(Sample.tag)).items.count == 20)
            let next = try await copy.open()
            try await next.insert(Sample.tag(20, "20"))
            #expect(try await reader.read(ReadRequest(Sample.tag)).items.count == 21)
            await reader.close()
            await next.close()
        }
        // An interrupted write has no effect.
        let copy = try abandon(["", "-wal"])
        let log = try #require(copy.bytes("-wal"))
        try log.dropLast(100).write(to: URL(fileURLWithPath: copy.path + "-wal"))
        let next = try await copy.open()
        #expect(try await next.read(ReadRequest(Sample.tag)).items.count == 19)
    }

    #if os(Linux)
    /// Opens a reader as a user without write permission. Root always has it, so the thread changes its user.
    func unprivilegedReader(_ scratch: Scratch) throws -> SQLiteReaderPool {
        let opening = SQLiteOpening(
            configuration: .init(.file(scratch.path), access: .readOnly),
            plan: try SQLPlan(Sample.schemas()))
        let files = try SQLiteFiles(scratch.path)
        return try asNobody { SQLiteReaderPool(try opening.firstReader(files), opening, files) }
    }

    func asNobody<Result>(_ body: () throws -> Result) throws -> Result {
        guard geteuid() == 0 else { return try body() }
        typealias SetUser = @convention(c) (UInt32) -> Int32
        let setUser = unsafe unsafeBitCast(try #require(unsafe dlsym(nil, "setfsuid")), to: SetUser.self)
        _ = setUser(65534)
        defer { _ = setUser(0) }
        return try body()
    }

    func setMode(_ scratch: Scratch, folder: UInt32, files: UInt32) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.folder) {
            unsafe chmod(scratch.folder + "/" + name, files)
        }
        unsafe chmod(scratch.folder, folder)
    }

    func tags(_ pool: SQLiteReaderPool) throws -> Int64 {
        try asNobody {
            try pool.read { connection throws(PersistencyError) in
                try connection.integer("SELECT count(*) FROM tag")
            }
        }
    }

    @Test(.currentSQLite) func `in a folder that cannot be written a database is read, and changes are noticed`()
        async throws
    {
        let writer = try await scratch.open(.full)
        try await writer.insert(Sample.tag(1, "a"))
        await writer.close()
        try setMode(scratch, folder: 0o555, files: 0o444)
        let pool = try unprivilegedReader(scratch)
        let first = try tags(pool)
        // A user with write permission succeeds: with a log next to the file, then without.
        let again = try await scratch.open(.full)
        try await again.insert(Sample.tag(2, "b"))
        let second = try tags(pool)
        try await again.insert(Sample.tag(3, "c"))
        let third = try tags(try unprivilegedReader(scratch))
        #expect([first, second, third] == [1, 2, 3])
        // After a killed writer: with both its files, and without the shared-memory file that indexes the log.
        let killed = try abandon(["", "-wal", "-shm"])
        try setMode(killed, folder: 0o555, files: 0o444)
        let found = try tags(try unprivilegedReader(killed))
        #expect(found == 3)
        let half = try abandon(["", "-wal"])
        try setMode(half, folder: 0o555, files: 0o444)
        let refused = #expect(throws: PersistencyError.self) { try unprivilegedReader(half) }
        #expect(refused?.summary == "unavailable readOnly")
        await again.close()
        let last = try tags(pool)
        #expect(last == 3)
    }
    #endif
}
