import Foundation
import LarderData
import LarderDecorators
import LarderDomain
import Testing

@testable import LarderApp

/// The keys of sealed columns, as an operator rotates them: by key files.
struct KeyRotationTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "rotation-\(UUID().uuidString)").path
    private let schemas: SchemaSet
    private static let keys = (
        old: "k1 \(String(repeating: "1", count: 64))", new: "k2 \(String(repeating: "2", count: 64))",
        equality: "equality \(String(repeating: "e", count: 64))"
    )

    init() throws {
        schemas = try SchemaSet([Ward.patient, Ward.nurse])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func settings(_ kind: String, _ keys: String...) async throws -> StoreSettings {
        let environment = UserEnvironment([
            Setting.sealingKeys.variable: (keys + [Self.keys.equality]).joined(separator: "\n")
        ])
        let flags = [Setting.store.name: "\(kind):\(folder)/\(kind)"]
        return try StoreSettings(try await SettingSources(flags: flags, environment: environment))
    }

    private func fill(_ settings: StoreSettings) async throws {
        let store = try await settings.open(schemas)
        let nurses = (1...250 as ClosedRange<UInt64>).map {
            StorageObject(schema: Ward.nurse, id: Ward.id($0), values: [.text("Nurse \($0)")])
        }
        _ = try await store.commit(ChangeSet(inserts: nurses))
        await store.close()
    }

    @Test(arguments: ["sqlite", "file"])
    func `an older key is not needed after a rotation`(kind: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await fill(try await settings(kind, Self.keys.old))
        let both = try await settings(kind, Self.keys.new, Self.keys.old)
        #expect(try await both.rotateKeys(schemas) == 250)
        #expect(try await both.rotateKeys(schemas) == 0)
        let store = try await settings(kind, Self.keys.new).open(schemas)
        let found = try await store.read(Ward.id(7), of: Ward.nurse)
        #expect(found?.values == [.text("Nurse 7")])
        await store.close()
    }

    @Test func `a service without sealed columns and a missing store are refused`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let plain = try SchemaSet([EntitySchema(name: "plain", columns: [Column(name: "name", type: .text)])])
        let settings = try await settings("sqlite", Self.keys.new)
        let usage = await #expect(throws: CommandFailure.self) { try await settings.rotateKeys(plain) }
        #expect(usage?.status == .usage)
        let missing = await #expect(throws: CommandFailure.self) { try await settings.rotateKeys(schemas) }
        #expect(missing?.status == .notFound)
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/sqlite"))
    }
}
