import Foundation
import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderInfrastructureTests

@Suite("Canary texts in sealed columns")
struct CanaryTests {
    private static let part = EntitySchema(
        name: "part", columns: [Column(name: "text", type: .text, sealing: .content)])
    private static let whole = EntitySchema(
        name: "whole",
        columns: [
            Column(name: "secret", type: .text, sealing: .content),
            Column(name: "name", type: .text, sealing: .equality),
            Column(name: "bytes", type: .blob, sealing: .content),
            Column(name: "open", type: .text),
        ], children: [ChildRelationship(name: "parts", schema: part)], uniques: [[1]])

    /// Copies of the folder while commits run are the states that killed processes leave.
    @Test(arguments: ["sqlite", "file"])
    func `are in no file of the store, its journal and its backup, at any time`(kind: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-canary-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/\(kind)"
        let store = try await SealedStore.open(SchemaSet([Self.whole]), keys: .fake()) { schemas in
            if kind == "file" { return try await FileStore.open(.init(path), schemas: schemas) }
            return try await SQLiteStore.open(.init(.file(path + "/s.sqlite")), schemas: schemas)
        }
        func object(_ number: Int, _ round: Int) -> StorageObject {
            let canary = "canary \(number) in round \(round)"
            return StorageObject(
                schema: Self.whole, id: RawID(high: 1, low: UInt64(number)),
                values: [.text(canary), .text(canary), .blob(Array(canary.utf8)), .text("plain text")],
                children: [
                    [
                        StorageObject(
                            schema: Self.part, id: RawID(high: 2, low: UInt64(number)), values: [.text(canary)])
                    ]
                ])
        }
        _ = try await store.commit(ChangeSet(inserts: (1...20).map { object($0, 0) }))
        let writing = Task {
            for round in 1...8 {
                for number in 1...20 {
                    let changes = ObjectChanges(from: object(number, round - 1), to: object(number, round))
                    let key = EntityKey(Self.whole, RawID(high: 1, low: UInt64(number)))
                    let update = RootUpdate(key, expected: Int64(round), changes: changes)
                    _ = try await store.commit(ChangeSet(updates: [update]))
                }
            }
        }
        var found: (canaries: [String], plain: Int) = ([], 0)
        func examine(_ folder: String) throws {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                // A file may be renamed or removed meanwhile.
                guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
                if bytes.firstRange(of: Data("canary".utf8)) != nil { found.canaries.append(name) }
                if bytes.firstRange(of: Data("plain text".utf8)) != nil { found.plain += 1 }
            }
        }
        for round in 1...8 {
            try examine(folder)
            _ = try await Backup.write(store, to: "\(folder)/\(round).backup", replacing: false)
        }
        try await writing.value
        try examine(folder)
        await store.close()
        try examine(folder)
        #expect(found.canaries.isEmpty)
        // The search finds texts of columns that are not sealed, in the store and in its backups.
        #expect(found.plain > 8)
    }

    @Test func `a backup and a digest are of the sealed values, or refused`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "larder-canary-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let clinic = try await Clinic()
        try await clinic.manager.create(Patient(id: EntityID(RawID(high: 1, low: 1)), name: "canary"))
        #expect(try await EntityDigest.all(of: clinic.store) == EntityDigest.all(of: clinic.base))
        let other = try await SealedStore.open(clinic.store.schemas, keys: .fake()) { _ in WithoutSnapshot(clinic.base)
        }
        let digest = await persistencyError { try await EntityDigest.all(of: other) }
        let backup = await persistencyError { try await Backup.write(other, to: path) }
        for (error, product) in [(digest, "digest"), (backup, "backup")] {
            guard case .incompatible(let why) = error else { return #expect(Bool(false), "\(error as Any)") }
            #expect(why == "the base of the sealed store offers no snapshot: its \(product) would not be sealed")
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

private final class WithoutSnapshot: StoreDecorator {
    let base: any Store

    init(_ base: any Store) { self.base = base }

    func feature<Feature>(_ type: Feature.Type) -> Feature? { nil }
}
