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
#else
import Darwin
#endif

extension ProcessTests {
    /// Other processes that write, read, and die while a store is open.
    @Suite(.serialized) struct SQLiteProcessTests {
        let scratch = Scratch()

        private func tags(_ store: SQLiteStore) async throws -> Int {
            try await store.read(ReadRequest(Sample.tag)).items.count
        }

        @Test func `another process that writes is waited for, up to the busy timeout`() async throws {
            let path = scratch.path
            let store = try await scratch.open(.full, busyTimeout: .milliseconds(200))
            try await store.insert(Sample.tag(1, "a"))
            let other = Task {
                _ = await #expect(processExitsWith: .success) { [path = path as String] in
                    let connection = try SQLiteConnection(path, flags: SQLITE_OPEN_READWRITE)
                    try connection.beginWriting()
                    try connection.execute("INSERT INTO tag VALUES (x'01', 1, 'theirs')")
                    OtherProcess.say("locked", beside: path)
                    try await OtherProcess.hear("enough", beside: path)
                    connection.rollBack()
                }
            }
            try await OtherProcess.hear("locked", beside: path)
            let start = ContinuousClock.now
            let error = await failure { () async throws(PersistencyError) in try await store.insert(Sample.tag(2, "b"))
            }
            #expect(error?.summary == "unavailable busy")
            #expect(ContinuousClock.now - start >= .milliseconds(150))
            // Reads continue, without the failed changes and without the other process's uncommitted changes.
            #expect(try await tags(store) == 1)
            OtherProcess.say("enough", beside: path)
            await other.value
            try await store.insert(Sample.tag(2, "b"))
            #expect(try await tags(store) == 2)
            await store.close()
        }

        @Test func `a reader sees what a writer in another process acknowledged, also after its death`() async throws {
            let path = scratch.path
            let writer = Task {
                _ = await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                    let store = try await SQLiteStore.open(
                        .init(.file(path), durability: .full), schemas: Sample.schemas())
                    for number in 0..<20 { try await store.insert(Sample.tag(number, "\(number)")) }
                    OtherProcess.say("written", beside: path)
                    try await OtherProcess.hear("read", beside: path)
                    for number in 20..<30 { try await store.insert(Sample.tag(number, "\(number)")) }
                    OtherProcess.die()
                }
            }
            try await OtherProcess.hear("written", beside: path)
            let reader = try await scratch.open(access: .readOnly)
            #expect(try await tags(reader) == 20)
            do {
                _ = try await scratch.open(busyTimeout: .zero)
                Issue.record("two processes write")
            } catch PersistencyError.alreadyOpen(let holder) {
                #expect(holder.hasPrefix("pid "))
            }
            OtherProcess.say("read", beside: path)
            await writer.value
            #expect(try await tags(reader) == 30)
            let late = try await scratch.open(access: .readOnly)
            #expect(try await tags(late) == 30)
            // The end of the process released its lock.
            let next = try await scratch.open(.full)
            try await next.insert(Sample.tag(30, "30"))
            #expect(try await tags(reader) == 31)
            for store in [reader, late, next] { await store.close() }
        }

        #if os(Linux)
        @Test func `a process that is being started keeps no lock of a store that is closed`() async throws {
            let store = try await scratch.open()
            let lock = try #require(
                (0..<1024).first {
                    let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                    return file?.hasSuffix(scratch.path + ".lock") == true
                })
            // The state of a child process between fork and exec.
            let inherited = dup(Int32(lock))
            defer { close(inherited) }
            await store.close()
            try await scratch.open().close()
        }
        #endif

        #if os(Linux)
        @Test func `a process that is stopped within a read bounds the log, is named, and the log shrinks after it`()
            async throws
        {
            let (path, reported) = (scratch.path, ReportedBlockages())
            let store = try await SQLiteStore.open(
                .init(
                    .file(path), durability: .normal, busyTimeout: .seconds(2),
                    onBlockedLog: reported.add), schemas: Sample.schemas())
            try await store.insert(Sample.tag(1, "a"))
            let reader = Task {
                _ = await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                    let connection = try SQLiteConnection(path, flags: SQLITE_OPEN_READONLY)
                    try connection.begin()
                    _ = try connection.integer("SELECT count(*) FROM tag")
                    let pid = Data("\(getpid())".utf8)
                    try pid.write(to: URL(filePath: path + ".pid"))
                    OtherProcess.say("reading", beside: path)
                    kill(getpid(), SIGSTOP)
                    // Another thread may receive the signal.
                    try await OtherProcess.hear("enough", beside: path)
                    OtherProcess.die()
                }
            }
            try await OtherProcess.hear("reading", beside: path)
            let written = try #require(scratch.bytes(".pid"))
            let pid = try #require(Int32(String(decoding: written, as: UTF8.self)))
            func size() throws -> Int {
                try #require(FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
            }
            func insert(_ number: Int) async -> PersistencyError? {
                let bytes = Value.blob(Array(repeating: 7, count: 1 << 20))
                let cover = StorageObject(schema: Sample.cover, id: Sample.id(number), values: [bytes, .text("")])
                return await failure { () async throws(PersistencyError) in try await store.insert(cover) }
            }
            try await until { SystemLocks.isStopped(pid) }
            var (error, number) = (PersistencyError?.none, 0)
            while error == nil, number < 100 {
                number += 1
                error = await insert(number)
            }
            #expect(error?.summary == "unavailable busy")
            #expect(error?.description.contains("process \(pid) (") == true, "\(error as Any)")
            #expect(error?.description.contains("which is stopped reads") == true)
            #expect(try size() < 64 << 20)
            // Reads continue.
            #expect(try await tags(store) == 1)
            #expect(reported.all.map(\.processes) == [[pid]])
            OtherProcess.say("enough", beside: path)
            kill(pid, SIGCONT)
            await reader.value
            #expect(await insert(200) == nil)
            #expect(try size() < 16 << 20)
            await store.close()
        }
        #endif

        @Test func `a reader that dies within a read keeps the writer's log from nothing afterwards`() async throws {
            let path = scratch.path
            let store = try await scratch.open(.full)
            try await store.insert(Sample.tag(1, "a"))
            let reader = Task {
                _ = await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                    let connection = try SQLiteConnection(path, flags: SQLITE_OPEN_READONLY)
                    try connection.begin()
                    _ = try connection.integer("SELECT count(*) FROM tag")
                    OtherProcess.say("reading", beside: path)
                    try await OtherProcess.hear("enough", beside: path)
                    OtherProcess.die()
                }
            }
            try await OtherProcess.hear("reading", beside: path)
            for number in 2..<20 { try await store.insert(Sample.tag(number, "\(number)")) }
            OtherProcess.say("enough", beside: path)
            await reader.value
            #expect(try await tags(store) == 19)
            await store.close()
            #expect(scratch.bytes("-wal") == nil)
        }
    }
}
