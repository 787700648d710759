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
    /// The store on a real file system, with other processes.
    @Suite(.serialized) struct FileStoreProcessTests {
        private let scratch = Scratch()

        private var folder: String { scratch.folder + "/a/store" }

        private func open(_ folder: String? = nil, purpose: String? = nil) async throws -> FileStore {
            try await FileStore.open(
                .init(folder ?? self.folder, busyTimeout: .zero, purpose: purpose), schemas: Sample.schemas())
        }

        @Test func `files are made for the owner alone, with the folders above them`() async throws {
            let store = try await open()
            try await store.insert(Sample.tag(1, "a"))
            await store.close()
            func mode(_ path: String) -> UInt32 {
                var status = stat()
                _ = unsafe stat(scratch.folder + path, &status)
                return status.st_mode & 0o777
            }
            for path in ["", "/a", "/a/store"] { #expect(mode(path) == 0o700) }
            for name in ["log", "lock", "closed"] { #expect(mode("/a/store/larder." + name) == 0o600) }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(Set(names) == ["larder.log", "larder.lock", "larder.closed"])
        }

        @Test func `a second opener that does not wait is kept out at once, and told by whom`() async throws {
            let store = try await open(purpose: "testing")
            let link = scratch.folder + "/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
            for path in [folder, folder + "/", link] {
                do {
                    _ = try await open(path)
                    Issue.record("opened twice")
                } catch PersistencyError.alreadyOpen(let holder) {
                    #expect(holder.hasPrefix("pid \(ProcessInfo.processInfo.processIdentifier) host "))
                    #expect(holder.hasSuffix(" testing"))
                }
            }
            await store.close()
            let again = try await open(link)
            await again.close()
        }

        @Test func `acknowledged commits of a killed process are stored, and its lock is free`() async throws {
            let (folder, path) = (folder, scratch.folder)
            let writer = Task {
                _ = await #expect(processExitsWith: .signal(SIGKILL)) {
                    [folder = folder as String, path = path as String] in
                    let store = try await FileStore.open(.init(folder), schemas: Sample.schemas())
                    for number in 0..<20 { try await store.insert(Sample.tag(number, "\(number)")) }
                    OtherProcess.say("written", beside: path)
                    try await OtherProcess.hear("seen", beside: path)
                    OtherProcess.die()
                }
            }
            try await OtherProcess.hear("written", beside: path)
            do {
                _ = try await open()
                Issue.record("two processes write")
            } catch PersistencyError.alreadyOpen(let holder) {
                #expect(holder.hasPrefix("pid "))
            }
            OtherProcess.say("seen", beside: path)
            await writer.value
            let store = try await open()
            #expect(try await store.read(ReadRequest(Sample.tag)).items.count == 20)
            #expect(try await store.insert(Sample.tag(20, "20")).sequence == 21)
            await store.close()
        }

        @Test func `an invalid location of a store is a typed error`() async throws {
            try FileManager.default.createDirectory(atPath: scratch.folder, withIntermediateDirectories: true)
            let file = scratch.folder + "/file"
            _ = FileManager.default.createFile(atPath: file, contents: Data("text".utf8))
            for path in ["", "a\u{0}b", "/proc/nowhere/x", file, file + "/x"] {
                do {
                    _ = try await open(path)
                    Issue.record("opened \(path)")
                } catch let error as PersistencyError {
                    #expect(error.summary.hasPrefix("unavailable"))
                }
            }
            #expect(FileManager.default.contents(atPath: file) == Data("text".utf8))
        }

        @Test func `a file in the log's place that is no log is refused and unchanged`() async throws {
            let log = folder + "/larder.log"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            func expectRefused(_ what: String) async {
                do {
                    _ = try await open()
                    Issue.record("opened \(what)")
                } catch {
                    #expect((error as? PersistencyError)?.summary == "incompatible", "\(what): \(error)")
                }
            }
            try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
            await expectRefused("a folder")
            #expect(unsafe rmdir(log) == 0 && mkfifo(log, 0o600) == 0)
            await expectRefused("a pipe")
            #expect(unsafe unlink(log) == 0 && symlink("/etc/passwd", log) == 0)
            await expectRefused("a link")
            #expect(unsafe unlink(log) == 0)
            for text in ["", "x", "hello, world"] {
                _ = FileManager.default.createFile(atPath: log, contents: Data(text.utf8))
                await expectRefused("'\(text)'")
                #expect(FileManager.default.contents(atPath: log) == Data(text.utf8))
            }
        }
    }
}
