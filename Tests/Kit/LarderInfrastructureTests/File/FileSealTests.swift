import Foundation
import LarderData
import LarderDomain
import LarderStoreContract
import Testing

@testable import LarderInfrastructure

/// Logs that are sealed by a passphrase.
struct FileSealTests {
    private static let canary = "canary-of-the-sealed-tag"
    private let scratch = Scratch()
    private let schemas: SchemaSet
    private let (first, second): (FileStore.Sealing, FileStore.Sealing)

    init() throws {
        schemas = try Sample.schemas()
        (first, second) = (try .fake("correct horse"), try .fake("battery staple"))
    }

    private func open(_ sealing: FileStore.Sealing?) async throws(PersistencyError) -> FileStore {
        try await FileStore.open(.init(scratch.folder, sealing: sealing), schemas: schemas)
    }

    private func fill(_ sealing: FileStore.Sealing?, count: Int = 1) async throws {
        let store = try await open(sealing)
        for number in 1...count { try await store.insert(Sample.tag(number, "\(Self.canary) \(number)")) }
        await store.close()
    }

    private func checkContent(_ sealing: FileStore.Sealing?, count: Int = 1) async throws {
        let store = try await open(sealing)
        for number in 1...count {
            let tag = try await store.read(Sample.id(number), of: Sample.tag)
            #expect(tag?.values == [.text("\(Self.canary) \(number)")])
        }
        await store.close()
    }

    private func error(_ sealing: FileStore.Sealing?) async -> PersistencyError? {
        await failure { () async throws(PersistencyError) in _ = try await open(sealing) }
    }

    private var files: [String: Data] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder)
            return Dictionary(
                uniqueKeysWithValues: names.map {
                    ($0, FileManager.default.contents(atPath: "\(scratch.folder)/\($0)") ?? Data())
                })
        }
    }

    /// The files that contain a text in plain.
    private func leaks(_ text: String) throws -> [String] {
        try files.filter { $0.value.range(of: Data(text.utf8)) != nil }.map(\.key)
    }

    @Test func `a sealed log keeps its content when it is closed, killed, compacted and migrated`() async throws {
        try await fill(first, count: 50)
        try await checkContent(first, count: 50)
        try FileManager.default.removeItem(atPath: scratch.folder + "/larder.closed")
        try await checkContent(first, count: 50)
        let store = try await open(first)
        try await store.compact()
        try await store.insert(Sample.tag(51, "\(Self.canary) 51"))
        await store.close()
        try await checkContent(first, count: 51)
    }

    @Test func `no file contains a text of the store, not even a copy or a dropped end`() async throws {
        try await fill(first, count: 50)
        let path = scratch.folder + "/larder.log"
        let bytes = try #require(FileManager.default.contents(atPath: path))
        try FileManager.default.removeItem(atPath: scratch.folder + "/larder.closed")
        try bytes.dropLast(3).write(to: URL(fileURLWithPath: path))
        let store = try await open(first)
        #expect(try await store.read(Sample.id(49), of: Sample.tag) != nil)
        #expect(try await store.read(Sample.id(50), of: Sample.tag) == nil)
        #expect(try files.keys.contains { $0.hasPrefix("larder.dropped-") })
        #expect(try leaks(Self.canary).isEmpty && leaks("correct horse").isEmpty)
        await store.close()
        try await FileStore.changePassphrase(inFolder: scratch.folder, from: first, to: second)
        #expect(try leaks(Self.canary).isEmpty && leaks("battery").isEmpty)
        // The search itself finds what is there.
        try await FileStore.changePassphrase(inFolder: scratch.folder, from: second, to: nil)
        #expect(try leaks(Self.canary) == ["larder.log"])
    }

    @Test func `a wrong, a missing and an unexpected passphrase are different errors, and change no byte`() async throws
    {
        try await fill(first)
        let before = try files
        #expect(await error(second)?.passphraseError == .wrong)
        #expect(await error(nil)?.passphraseError == .missing)
        #expect(try files == before)
        try await FileStore.changePassphrase(inFolder: scratch.folder, from: first, to: nil)
        #expect(await error(first)?.passphraseError == .unexpected)
        let path = scratch.folder
        for sealing in [first, nil] {
            let status = await failure { () throws(PersistencyError) in
                _ = try FileStore.schemaStatus(inFolder: path, schemas: schemas, sealing: sealing)
            }
            #expect(status?.passphraseError == (sealing == nil ? nil : .unexpected))
        }
    }

    @Test func `a plain log can be sealed, get another passphrase, and be plain again`() async throws {
        try await fill(nil, count: 20)
        var last: FileStore.Sealing?
        for next in [first, second, nil] {
            try await FileStore.changePassphrase(inFolder: scratch.folder, from: last, to: next)
            #expect(try files.keys.contains("larder.closed"))
            try await checkContent(next, count: 20)
            last = next
        }
        let wrong = await failure { () async throws(PersistencyError) in
            try await FileStore.changePassphrase(inFolder: scratch.folder, from: first, to: second)
        }
        #expect(wrong?.passphraseError == .unexpected)
        let store = try await open(nil)
        let locked = await failure { () async throws(PersistencyError) in
            try await FileStore.changePassphrase(inFolder: scratch.folder, from: nil, to: second)
        }
        #expect(locked?.summary == "alreadyOpen")
        await store.close()
    }

    @Test func `a log that must be repaired gets no other passphrase, and stays as it is`() async throws {
        try await fill(first, count: 3)
        let path = scratch.folder + "/larder.log"
        let bytes = try #require(FileManager.default.contents(atPath: path))
        try bytes.dropLast(3).write(to: URL(fileURLWithPath: path))
        for isClosed in [true, false] {
            if !isClosed { try FileManager.default.removeItem(atPath: scratch.folder + "/larder.closed") }
            let before = try files
            let refused = await failure { () async throws(PersistencyError) in
                try await FileStore.changePassphrase(inFolder: scratch.folder, from: first, to: second)
            }
            #expect("\(String(describing: refused))".contains("torn"))
            #expect(try files == before)
        }
    }

    @Test func `a plain backup of a sealed log is refused, and so is a plain log in the place of a sealed one`()
        async throws
    {
        try await fill(nil)
        let store = try await open(nil)
        let backup = scratch.folder + "/backup"
        _ = try await Backup.write(store, to: backup)
        await store.close()
        try await FileStore.changePassphrase(inFolder: scratch.folder, from: nil, to: first)
        let sealed = try await open(first)
        let refused = await failure { () async throws(PersistencyError) in
            _ = try await Backup.write(sealed, to: backup, replacing: true)
        }
        #expect(refused?.passphraseError == .plainBackup)
        await sealed.close()
        let replaced = await failure { () async throws(PersistencyError) in
            try await FileStore.restore(backup, toFolder: scratch.folder, schemas: schemas, replacing: true)
        }
        #expect(replaced?.passphraseError == .missing)
        let log = scratch.folder + "/larder.log"
        let other = await failure { () async throws(PersistencyError) in
            try await FileStore.restore(log, toFolder: scratch.folder + "/other", schemas: schemas)
        }
        #expect("\(String(describing: other))".contains("sealed log of a file store"))
        try await FileStore.restore(
            backup, toFolder: scratch.folder, schemas: schemas, replacing: true, sealing: second)
        try await checkContent(second)
    }

    @Test func `the records of a sealed log are listed with its passphrase`() async throws {
        try await fill(first, count: 2)
        var inspector = try LogInspector(folder: scratch.folder, sealing: first)
        var contents: [LogInspector.Entry.Content] = []
        while let entry = try await inspector.next() { contents.append(entry.content) }
        #expect(contents.first == .head(sequence: 0) && contents.count == 4)
        var locked = try LogInspector(folder: scratch.folder)
        let refused = await failure { () async throws(PersistencyError) in _ = try await locked.next() }
        #expect(refused?.passphraseError == .missing)
    }

    @Test func `a sealed log keeps every law that its capabilities let it keep`() async throws {
        let (folder, sealing) = (scratch.folder, first)
        let fixture = StoreFixture("file, sealed as a whole") { schemas, scratch in
            try await FileStore.open(.init("\(folder)/\(scratch)/log", sealing: sealing), schemas: schemas)
        } copy: { scratch, other in
            try FileManager.default.copyItem(atPath: "\(folder)/\(scratch)", toPath: "\(folder)/\(other)")
        } discard: { scratch in
            try? FileManager.default.removeItem(atPath: "\(folder)/\(scratch)")
        }
        let isQuick = RunSize.current == .quick
        let laws = StoreContract.laws.filter { !isQuick || [.storeLife, .changes, .conflicts].contains($0.group) }
        let verdicts = await StoreContract.judge(fixture, laws: laws)
        for case .broken(let why) in verdicts.map(\.verdict) { Issue.record("\(why)") }
        #expect(verdicts.count { $0.verdict == .kept } >= (isQuick ? 25 : 120))
    }
}
