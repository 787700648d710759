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

/// Lock holders, and the wait of other processes.
struct LockFileTests {
    private let scratch = Scratch()
    private let path: String

    init() throws {
        path = scratch.folder + "/lock"
        try FileManager.default.createDirectory(atPath: scratch.folder, withIntermediateDirectories: true)
    }

    private func holder() -> String? {
        do {
            _ = try LockFile(path)
            return nil
        } catch PersistencyError.alreadyOpen(let holder) {
            return holder
        } catch {
            return "\(error)"
        }
    }

    @Test func `the holder is named, and not an earlier one whose words are still in the file`() throws {
        let lock = try LockFile(path, purpose: "testing")
        #expect(holder()?.hasPrefix("pid \(getpid()) host ") == true && holder()?.hasSuffix(" testing") == true)
        #if os(Linux)
        // The default text until the holder has written its description, or if it could not.
        for stale in ["pid 1 host elsewhere program other", "no words", ""] {
            try Data(stale.utf8).write(to: URL(filePath: path), options: [])
            let found = holder() ?? ""
            #expect(found.hasPrefix("pid \(getpid()) host ") && !found.contains("other"), "\(found)")
        }
        #endif
        withExtendedLifetime(lock) {}
    }

    @Test func `a lock that becomes free within the timeout is taken`() throws {
        var held: LockFile? = try LockFile(path)
        var attempts = 0
        let lock = try LockFile.waiting(.seconds(600)) { () throws(PersistencyError) in
            attempts += 1
            if attempts == 3 { held = nil }
            return try LockFile(path)
        }
        #expect(attempts == 3 && held == nil)
        withExtendedLifetime(lock) {}
    }

    @Test func `a lock that stays taken is waited for as long as the timeout, and no other error is`() throws {
        let held = try LockFile(path)
        let start = ContinuousClock.now
        #expect(throws: PersistencyError.self) {
            try LockFile.waiting(.milliseconds(50)) { () throws(PersistencyError) in try LockFile(path) }
        }
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        withExtendedLifetime(held) {}
        var attempts = 0
        #expect(throws: PersistencyError.self) {
            try LockFile.waiting(.seconds(600)) { () throws(PersistencyError) -> LockFile in
                attempts += 1
                return try LockFile("/proc/nowhere/lock")
            }
        }
        #expect(attempts == 1)
    }

    @Test(arguments: [true, false]) func `both stores wait for a store that is being closed`(isFile: Bool) async throws
    {
        let (folder, schemas) = (scratch.folder + "/store", try Sample.schemas())
        func open() async throws -> any Store {
            isFile
                ? try await FileStore.open(.init(folder, busyTimeout: .seconds(600)), schemas: schemas)
                : try await SQLiteStore.open(.init(.file(folder), busyTimeout: .seconds(600)), schemas: schemas)
        }
        let first = try await open()
        async let second = open()
        await first.close()
        await (try second).close()
    }
}
