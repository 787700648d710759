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

/// The real file system behind the protocol.
struct POSIXFileSystemTests {
    private let fileSystem = POSIXFileSystem()
    private let scratch = Scratch()

    init() throws {
        try fileSystem.makeFolder(scratch.folder)
    }

    private func number(_ work: () throws(PersistencyError) -> Void) -> Int32? {
        do throws(PersistencyError) {
            try work()
            return nil
        } catch {
            return error.systemNumber
        }
    }

    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        _ = unsafe stat(path, &status)
        return status.st_mode & 0o777
    }

    @Test func `a file is written, read, cut and synced, and is its owner's alone`() throws {
        let path = scratch.folder + "/x"
        #expect(try fileSystem.status(path) == nil)
        let file = try fileSystem.create(path)
        #expect(try file.write([1, 2, 3, 4], at: 0) == 4)
        try file.writeAll([5], at: 4, path: path)
        try file.sync()
        #expect(try file.read(3, at: 1) == [2, 3, 4])
        #expect(try file.read(100, at: 3) == [4, 5])
        #expect(try file.read(1, at: 9) == [])
        try file.truncate(to: 2)
        #expect(try file.size() == 2)
        let found = try fileSystem.status(path)
        var status = stat()
        #expect(unsafe stat(path, &status) == 0)
        let identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        #expect(found == FileStatus(isFile: true, size: 2, identity: identity))
        #expect(try fileSystem.status(scratch.folder)?.identity != identity)
        #expect(try fileSystem.status(scratch.folder)?.isFile == false)
        #expect(mode(path) == 0o600 && mode(scratch.folder) == 0o700)
        #expect(number { () throws(PersistencyError) in _ = try fileSystem.create(path) } == EEXIST)
        try fileSystem.rename(path, to: path + "y")
        try fileSystem.syncFolder(scratch.folder)
        #expect(try fileSystem.open(path + "y").read(9, at: 0) == [1, 2])
        try fileSystem.remove(path + "y")
        #expect(number { () throws(PersistencyError) in _ = try fileSystem.open(path + "y") } == ENOENT)
    }

    @Test func `only a regular file is opened, and no link is followed`() throws {
        let path = scratch.folder + "/x"
        _ = try fileSystem.create(path)
        #expect(unsafe symlink(path, path + "l") == 0)
        #expect(unsafe mkfifo(path + "p", 0o600) == 0)
        #expect(number { () throws(PersistencyError) in _ = try fileSystem.open(path + "l") } == ELOOP)
        #expect(number { () throws(PersistencyError) in _ = try fileSystem.open(path + "p").size() } == EINVAL)
        #expect(number { () throws(PersistencyError) in _ = try fileSystem.open(scratch.folder) } == EISDIR)
        #expect(try fileSystem.status(path + "l")?.isFile == false)
        #expect(try fileSystem.status(path + "p")?.isFile == false)
    }

    @Test func `a lock follows no link, whose target it would empty`() throws {
        let path = scratch.folder + "/x"
        _ = try fileSystem.create(path).write([1, 2], at: 0)
        #expect(unsafe symlink(path, path + "l") == 0 && symlink(path + "nothing", path + "m") == 0)
        for link in [path + "l", path + "m"] {
            #expect(
                refusal { () throws(PersistencyError) in _ = try fileSystem.lock(link, purpose: nil) }
                    == "unavailable failed")
        }
        #expect(try fileSystem.open(path).read(9, at: 0) == [1, 2])
        #expect(try fileSystem.status(path + "nothing") == nil)
    }

    @Test func `a refused lock touches no file that is opened concurrently`() async throws {
        let path = scratch.folder + "/x"
        let held = try fileSystem.lock(path, purpose: nil)
        let refused = Task.detached {
            for _ in 0..<20_000 {
                let refused = refusal { () throws(PersistencyError) in
                    _ = try POSIXFileSystem().lock(path, purpose: nil)
                }
                #expect(refused == "alreadyOpen")
            }
        }
        for number in 0..<20_000 {
            let file = try fileSystem.create(path + "\(number)")
            _ = try file.write([1], at: 0)
            #expect(try file.size() == 1)
            try fileSystem.remove(path + "\(number)")
        }
        await refused.value
        withExtendedLifetime(held) {}
    }

    @Test func `a folder may be reached by a link`() throws {
        let link = scratch.folder + "/link"
        try fileSystem.makeFolder(scratch.folder + "/real")
        #expect(unsafe symlink(scratch.folder + "/real", link) == 0)
        #expect(try fileSystem.status(link + "/")?.isFile == false)
        try fileSystem.syncFolder(link + "/")
    }

    @Test func `an error says which call failed where, with the system's number`() throws {
        do throws(PersistencyError) {
            try fileSystem.makeFolder("/proc/nowhere")
            Issue.record("made")
        } catch {
            #expect(error.systemNumber == ENOENT)
            #expect("\(error)".contains(": mkdir /proc/nowhere: "))
        }
    }
}
