import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The simulated file system after a power loss.
struct CrashImageTests {
    private let fileSystem = SimulatedFileSystem(LogBench.disk, keepsHistory: true)

    private func images() -> Set<[String: [UInt8]]> {
        let images = CrashImages(fileSystem.disk)
        return Set((0..<images.count).map { images[$0].files })
    }

    @Test func `writes that were not synced may be stored partly`() throws {
        let file = try fileSystem.create("/db/x")
        #expect(images() == [[:], ["/db/x": []]])
        try fileSystem.syncFolder("/db/")
        try file.writeAll([1, 2, 3, 4], at: 0, path: "")
        let contents = images().compactMap { $0["/db/x"] }
        for expected in [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [0, 0, 0, 0], [0, 0, 3, 4]] as [[UInt8]] {
            #expect(contents.contains(expected))
        }
        #expect(contents.count == 8)
        try file.sync()
        #expect(images() == [["/db/x": [1, 2, 3, 4]]])
        try file.truncate(to: 1)
        try file.writeAll([9], at: 1, path: "")
        #expect(images().contains(["/db/x": [1, 9, 3, 4]]) && images().contains(["/db/x": [1, 9]]))
        #expect(fileSystem.disk.files == ["/db/x": [1, 9]])
    }

    @Test func `names last when their folder was synced, and any few of them before`() throws {
        let file = try fileSystem.create("/db/new")
        try file.writeAll([1], at: 0, path: "")
        try file.sync()
        try fileSystem.rename("/db/new", to: "/db/log")
        #expect(images() == [[:], ["/db/new": [1]], ["/db/log": [1]]])
        try fileSystem.syncFolder("/db/")
        #expect(images() == [["/db/log": [1]]])
        try fileSystem.remove("/db/log")
        #expect(images() == [[:], ["/db/log": [1]]])
    }

    @Test func `a sync that failed is not made good by the next`() throws {
        let file = try fileSystem.create("/db/x")
        try fileSystem.syncFolder("/db/")
        try file.writeAll([1], at: 0, path: "")
        fileSystem.inject { _, operation in if case .sync = operation { .error(5) } else { nil } }
        #expect(throws: PersistencyError.self) { try file.sync() }
        fileSystem.inject(nil)
        try file.sync()
        #expect(fileSystem.disk.files == ["/db/x": [1]])
        #expect(images().contains(["/db/x": []]))
    }

    @Test func `names that a failed sync lost last when their folder changes and is synced again, and not before`()
        throws
    {
        let folder = "/db/"
        _ = try fileSystem.create("/db/x")
        fileSystem.inject { _, operation in if case .syncFolder = operation { .error(5) } else { nil } }
        #expect(throws: PersistencyError.self) { try fileSystem.syncFolder(folder) }
        fileSystem.inject(nil)
        try fileSystem.syncFolder(folder)
        #expect(images() == [[:], ["/db/x": []]])
        _ = try fileSystem.create("/db/y")
        try fileSystem.syncFolder(folder)
        #expect(images() == [["/db/x": [], "/db/y": []]])
    }

    @Test func `calls are logged with the state after each`() throws {
        let file = try fileSystem.create("/db/x")
        try file.writeAll([1, 2], at: 0, path: "")
        _ = try file.read(1, at: 1)
        #expect(throws: PersistencyError.self) { try fileSystem.create("/db/x") }
        #expect(
            fileSystem.operations == [
                .create("/db/x"), .write("/db/x", offset: 0, count: 2), .read("/db/x", offset: 1, count: 1),
                .create("/db/x"),
            ])
        #expect(fileSystem.disk(after: 0).files == [:])
        #expect(fileSystem.disk(after: 1).files == ["/db/x": []])
        #expect(fileSystem.disk(after: 2).files == ["/db/x": [1, 2]])
    }

    @Test func `a disk without enough space stores a part of a write`() throws {
        let file = try fileSystem.create("/db/x")
        fileSystem.limit(to: 3)
        #expect(try file.write([1, 2, 3, 4], at: 0) == 3)
        do throws(PersistencyError) {
            _ = try file.write([5], at: 3)
            Issue.record("written")
        } catch {
            #expect(error.systemNumber == SystemError.full)
        }
    }
}
