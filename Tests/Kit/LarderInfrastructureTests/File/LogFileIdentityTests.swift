import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The log of an open store, removed or truncated by others.
struct LogFileIdentityTests {
    private let scratch = Scratch()

    private func open(_ reported: Reported = Reported()) async throws -> FileStore {
        try await FileStore.open(.init(scratch.folder) { reported.add($0) }, schemas: Sample.schemas())
    }

    @Test(arguments: ["larder.log", "larder.lock"])
    func `a file that is taken away or replaced while it is open is noticed`(name: String) async throws {
        let (store, path, aside) = (try await open(), "\(scratch.folder)/\(name)", scratch.folder + "/aside")
        try await store.insert(Sample.tag(1, "a"))
        try await store.checkFiles()
        for isReplaced in [false, true] {
            try FileManager.default.moveItem(atPath: path, toPath: aside)
            if isReplaced { try FileManager.default.copyItem(atPath: aside, toPath: path) }
            for work in [
                { () async throws(PersistencyError) in try await store.checkFiles() },
                { () async throws(PersistencyError) in _ = try await store.insert(Sample.tag(2, "b")) },
                { () async throws(PersistencyError) in try await store.compact() },
            ] {
                let error = await failure(work)
                #expect(error?.summary == "unavailable failed" && error?.description.contains(path) == true)
            }
            if isReplaced { try FileManager.default.removeItem(atPath: path) }
            try FileManager.default.moveItem(atPath: aside, toPath: path)
        }
        try await store.insert(Sample.tag(2, "b"))
        try await store.compact()
        try await store.insert(Sample.tag(3, "c"))
        await store.close()
        let again = try await open()
        #expect(try await again.read(ReadRequest(Sample.tag)).items.count == 3)
        await again.close()
    }

    @Test func `a log with several names is refused, and stays as it is`() async throws {
        let store = try await open()
        try await store.insert(Sample.tag(1, "a"))
        await store.close()
        let (log, other) = (scratch.folder + "/larder.log", Scratch())
        let bytes = try #require(FileManager.default.contents(atPath: log))
        try FileManager.default.createDirectory(atPath: other.folder, withIntermediateDirectories: true)
        try FileManager.default.linkItem(atPath: log, toPath: other.folder + "/larder.log")
        for folder in [scratch.folder, other.folder] {
            let error = await failure { () async throws(PersistencyError) in
                guard let schemas = try? Sample.schemas() else { return }
                await (try FileStore.open(.init(folder), schemas: schemas)).close()
            }
            #expect(error?.summary == "unavailable failed")
            #expect(error?.description.contains("\(folder)/larder.log has 2 names (hard links)") == true)
        }
        #expect(FileManager.default.contents(atPath: log) == bytes)
        try FileManager.default.removeItem(atPath: other.folder)
        await (try open()).close()
    }

    @Test func `the marker of another log is refused, and so is a log that was replaced under its marker`()
        async throws
    {
        let other = Scratch()
        let store = try await open()
        try await store.insert(Sample.tag(1, "a"))
        await store.close()
        let foreign = try await FileStore.open(.init(other.folder), schemas: Sample.schemas())
        try await foreign.insert(Sample.tag(1, "b"))
        await foreign.close()
        for name in ["larder.closed", "larder.log"] {
            let (path, aside) = ("\(scratch.folder)/\(name)", "\(scratch.folder)/aside")
            try FileManager.default.moveItem(atPath: path, toPath: aside)
            try FileManager.default.copyItem(atPath: "\(other.folder)/\(name)", toPath: path)
            let error = await failure { () async throws(PersistencyError) in
                guard let schemas = try? Sample.schemas() else { return }
                await (try FileStore.open(.init(scratch.folder), schemas: schemas)).close()
            }
            #expect(error?.summary == "unavailable failed")
            #expect(error?.description.contains("larder.closed says") == true)
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: aside, toPath: path)
        }
        await (try open()).close()
    }

    /// The names, sizes and times of the files in the folder.
    private func listing() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.folder).sorted().map { name in
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.folder + "/" + name)
            return "\(name) \(attributes[.size] ?? "") \(attributes[.modificationDate] ?? "")"
        }
    }

    @Test func `a store that only reads changes and creates no file, also without a lock file and after a kill`()
        async throws
    {
        let store = try await open()
        for number in 0..<3 { try await store.insert(Sample.tag(number, "\(number)")) }
        let killed = try #require(FileManager.default.contents(atPath: scratch.folder + "/larder.log"))
        var configuration = FileStore.Configuration(scratch.folder, busyTimeout: .zero)
        configuration.isReadOnly = true
        func refusal() async -> PersistencyError? {
            await failure { [configuration] () async throws(PersistencyError) in
                guard let schemas = try? Sample.schemas() else { return }
                await (try FileStore.open(configuration, schemas: schemas)).close()
            }
        }
        #expect(await refusal()?.summary == "alreadyOpen")
        await store.close()
        for state in ["closed", "closed, without a lock file", "killed", "torn", "draft"] {
            switch state {
            case "closed": break
            case "closed, without a lock file":
                try FileManager.default.removeItem(atPath: scratch.folder + "/larder.lock")
            case "draft": try Data([1]).write(to: URL(filePath: scratch.folder + "/larder.new"))
            default:
                try? FileManager.default.removeItem(atPath: scratch.folder + "/larder.closed")
                let bytes = state == "torn" ? Data(killed.dropLast(5)) : killed
                try bytes.write(to: URL(filePath: scratch.folder + "/larder.log"))
            }
            let before = try listing()
            let reader = try await FileStore.open(configuration, schemas: Sample.schemas())
            let isTorn = state == "torn" || state == "draft"
            #expect(try await reader.read(ReadRequest(Sample.tag)).items.count == (isTorn ? 2 : 3), "\(state)")
            let error = await failure { () async throws(PersistencyError) in try await reader.insert(Sample.tag(9, "9"))
            }
            #expect(error?.summary == "unavailable readOnly")
            // Two readers at a time.
            #expect(await refusal() == nil)
            await reader.close()
            #expect(try listing() == before, "\(state)")
        }
        try FileManager.default.removeItem(atPath: scratch.folder + "/larder.log")
        #expect(await refusal()?.summary == "unavailable failed")
    }

    @Test func `the end of a log that recovery drops is reported and kept`() async throws {
        let log = scratch.folder + "/larder.log"
        let store = try await open()
        for number in 0..<5 { try await store.insert(Sample.tag(number, "\(number)")) }
        let bytes = try #require(FileManager.default.contents(atPath: log))
        await store.close()
        for missing in [1, 20] {
            let torn = Data(bytes.dropLast(missing))
            try FileManager.default.removeItem(atPath: scratch.folder)
            try FileManager.default.createDirectory(atPath: scratch.folder, withIntermediateDirectories: true)
            try torn.write(to: URL(filePath: log))
            let reported = Reported()
            let opened = try await open(reported)
            #expect(try await opened.read(ReadRequest(Sample.tag)).items.count == 4)
            await opened.close()
            let tail = try #require(reported.tails.first)
            #expect(reported.tails.count == 1 && tail.offset + tail.size == torn.count && tail.size > 0)
            #expect(FileManager.default.contents(atPath: tail.copy) == torn.suffix(tail.size))
            #expect(tail.content.contains("commit 4"))
            await (try open(reported)).close()
            #expect(reported.tails.count == 1)
        }
    }
}
