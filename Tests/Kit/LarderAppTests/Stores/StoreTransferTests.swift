import Foundation
import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderApp

/// Transfers between stores on disk, also interrupted ones.
struct StoreTransferTests {
    private static let pairs = ["sqlite", "file"].flatMap { from in ["sqlite", "file"].map { (from, $0) } }

    @Test(arguments: pairs)
    func `a target has the content of its source, with versions`(from: String, to: String) async throws {
        let bench = try TransferBench(from, to)
        let digests = try await bench.transfer.run()
        #expect(digests.map(\.count) == [40, 1])
        #expect(try await bench.digests(bench.target) == digests)
        #expect(try await bench.versions(bench.target) == bench.versions(bench.source))
        #expect(bench.leftovers == [])
        // A repetition, as after a kill at the end, finds that nothing is left to do.
        #expect(try await bench.transfer.run() == digests)
    }

    @Test(arguments: pairs)
    func `a transfer continues wherever it was interrupted, and includes later changes`(
        from: String, to: String
    ) async throws {
        for moment in TransferBench.Moment.allCases {
            let bench = try TransferBench(from, to)
            try await bench.interrupt(at: moment)
            try await bench.change()
            let digests = try await bench.transfer.run()
            #expect(try await bench.digests(bench.source) == digests, "\(moment)")
            #expect(try await bench.digests(bench.target) == digests, "\(moment)")
            #expect(try await bench.versions(bench.target).contains(5), "\(moment)")
            #expect(bench.leftovers == [], "\(moment)")
        }
    }

    @Test func `a target of another program is neither changed nor taken for the own one`() async throws {
        let bench = try TransferBench("sqlite", "file")
        // The copy is complete, and then another program creates the target.
        try await bench.interrupt(at: .copied)
        try await bench.create(bench.target, count: 3)
        let before = try await bench.digests(bench.target)
        for _ in 0..<2 {
            let refusal = await bench.refusal { _ = try await bench.transfer.run() }
            #expect(refusal?.status == .conflict && refusal?.message.contains("differs from") == true)
        }
        let filling = await bench.refusal { _ = try await bench.transfer.fill() }
        #expect(filling?.status == .conflict)
        #expect(try await bench.digests(bench.target) == before)
    }

    @Test func `a source that changes after the transfer differs from its target`() async throws {
        let bench = try TransferBench("file", "sqlite")
        _ = try await bench.transfer.run()
        try await bench.change()
        #expect(await bench.refusal { _ = try await bench.transfer.run() }?.status == .conflict)
    }

    @Test func `a source in use is only copied, and another store is not`() async throws {
        let bench = try TransferBench("sqlite", "sqlite")
        let service = try await bench.source.open(bench.schemas)
        let token = try await bench.transfer.fill()
        #expect(token == (try await service.commit(ChangeSet()).token))
        let error = await #expect(throws: PersistencyError.self) { _ = try await bench.transfer.run() }
        guard case .alreadyOpen? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        await service.close()
        _ = try await bench.transfer.run()
    }

    @Test func `unsuitable stores are refused`() async throws {
        let bench = try TransferBench("sqlite", "file")
        func refused(_ from: StoreSettings, _ to: StoreSettings) async -> CommandFailure? {
            await bench.refusal { _ = try await StoreTransfer(from: from, to: to, bench.schemas).run() }
        }
        let memory = StoreSettings(location: .memory)
        #expect(await refused(bench.source, bench.source)?.message.contains("both source and target") == true)
        #expect(await refused(memory, bench.target)?.status == .usage)
        #expect(await refused(bench.source, memory)?.status == .usage)
        let missing = await refused(bench.target, bench.source.moved(to: bench.path("new")))
        #expect(missing?.status == .notFound && missing?.message.contains("no store exists") == true)
        let other = try MapperSet([PersonMapper.self]).schemas
        let person = bench.source.moved(to: bench.path("people"))
        try await person.open(other).close()
        let older = await refused(person, bench.target)
        #expect(older?.status == .storeUnavailable && older?.advice?.contains("migrate it first") == true)
        #expect(!FileManager.default.fileExists(atPath: bench.path("target")))
    }

    @Test func `a target that cannot be written is named`() async throws {
        let bench = try TransferBench("sqlite", "sqlite")
        _ = try await bench.transfer
        try Data().write(to: URL(fileURLWithPath: bench.path("blocked")))
        let target = bench.target.moved(to: bench.path("blocked/store"))
        let transfer = try StoreTransfer(
            from: bench.source, to: target, bench.schemas, copy: bench.path("copy"))
        let error = await #expect(throws: (any Error).self) { _ = try await transfer.run() }
        #expect("\(error as Any)".contains("blocked"))
    }
}

/// Two locations in a folder that is removed at the end, of which the first has a store.
private final class TransferBench: Sendable {
    /// The moments at which a kill leaves different files.
    enum Moment: CaseIterable {
        case copied, filled, adopted, caughtUp
    }

    let schemas: SchemaSet
    let source: StoreSettings
    let target: StoreSettings
    private let folder: String

    init(_ from: String, _ to: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "transfer-\(UUID().uuidString)").path
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        schemas = try MapperSet([CrateMapper.self, PersonMapper.self]).schemas
        func settings(_ kind: String, _ name: String) throws -> StoreSettings {
            var settings = StoreSettings(
                location: try StoreLocation("\(kind):\(folder)/\(name)", environment: UserEnvironment([:])),
                durability: .off)
            settings.busyTimeout = .zero
            return settings
        }
        (source, target) = (try settings(from, "source"), try settings(to, "target"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var transfer: StoreTransfer {
        get async throws {
            if source.location.missingPath != nil { try await create(source, count: 40) }
            return try StoreTransfer(from: source, to: target, schemas)
        }
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    var leftovers: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (names ?? []).filter { $0.contains(".transfer") }
    }

    func create(_ settings: StoreSettings, count: Int) async throws {
        let store = try await settings.open(schemas)
        let manager = StoreManager(store, mappers: try MapperSet([CrateMapper.self, PersonMapper.self]))
        let person = Person(id: EntityID(RawID(high: 1, low: 1)), name: "Ada")
        try await manager.create(person)
        for number in 1...count {
            var crate = Crate(id: EntityID(RawID(high: 2, low: UInt64(number))), name: "\(number)", code: "\(number)")
            crate.owners = [person.id]
            if number > 1 { crate.inside = EntityID(RawID(high: 2, low: UInt64(number - 1))) }
            try await manager.create(crate)
        }
        await store.close()
    }

    /// Changes, creates and deletes crates; one reaches version 5.
    func change() async throws {
        let store = try await source.open(schemas)
        let manager = StoreManager(store, mappers: try MapperSet([CrateMapper.self, PersonMapper.self]))
        for round in 0..<4 {
            let stored = try #require(try await manager.read(EntityID<Crate>(RawID(high: 2, low: 7))))
            var crate = stored.entity
            crate.name = "round \(round)"
            _ = try await manager.update(crate, expecting: stored.version)
        }
        try await manager.delete(EntityID<Crate>(RawID(high: 2, low: 20)))
        try await manager.create(Crate(id: EntityID(RawID(high: 3, low: 1)), name: "new"))
        await store.close()
    }

    /// Leaves the files that a transfer leaves when it is killed at a moment.
    func interrupt(at moment: Moment) async throws {
        let (transfer, copy) = (try await transfer, path("target.transfer"))
        if moment == .copied {
            let store = try await source.open(schemas)
            _ = try await Backup.write(store, to: copy)
            return await store.close()
        }
        _ = try await transfer.fill()
        let adopted = path(try #require(leftovers.first))
        if moment == .filled { try FileManager.default.moveItem(atPath: adopted, toPath: copy) }
        guard moment == .caughtUp else { return }
        try FileManager.default.copyItem(atPath: adopted, toPath: path("kept"))
        let store = try await source.open(schemas)
        _ = try await store.commit(
            ChangeSet(inserts: [
                StorageObject(schema: PersonMapper.schema, id: RawID(high: 9, low: 9), values: [.text("B")])
            ]))
        await store.close()
        _ = try await transfer.run()
        try FileManager.default.moveItem(atPath: path("kept"), toPath: adopted)
    }

    func digests(_ settings: StoreSettings) async throws -> [EntityDigest] {
        let store = try await settings.open(schemas)
        let digests = try await EntityDigest.all(of: store)
        await store.close()
        return digests
    }

    func versions(_ settings: StoreSettings) async throws -> [Int64] {
        let store = try await settings.open(schemas)
        let versions = try await store.read(ReadRequest(CrateMapper.schema)).items.map(\.version)
        await store.close()
        return versions
    }

    func refusal(_ work: () async throws -> Void) async -> CommandFailure? {
        do {
            try await work()
            return nil
        } catch {
            return CommandFailure(error)
        }
    }
}
