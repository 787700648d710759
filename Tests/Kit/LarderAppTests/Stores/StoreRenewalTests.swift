import ArgumentParser
import Foundation
import LarderData
import LarderDomain
import Testing

@testable import LarderApp

/// New lifetimes of stores, by their settings.
struct StoreRenewalTests {
    private static let note = EntitySchema(name: "note", columns: [Column(name: "text", type: .text)])
    private let schemas = Result { try SchemaSet([Self.note]) }

    private func settings(_ store: String) async throws -> StoreSettings {
        try await StoreOptions.parse(["--store", store]).settings(in: UserEnvironment(["HOME": "/ada"]))
    }

    @Test(arguments: ["sqlite", "file"]) func `a renewed store has the same objects, and refuses former tokens`(
        _ kind: String
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-renewal-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (settings, schemas) = (try await settings("\(kind):\(folder)/store"), try schemas.get())
        let missing = await #expect(throws: CommandFailure.self) { try await settings.renew(schemas) }
        #expect(missing?.status == .notFound)
        var store = try await settings.open(schemas)
        let note = StorageObject(schema: Self.note, id: RawID(high: 1, low: 1), values: [.text("a")])
        let token = try await store.commit(ChangeSet(inserts: [note])).token
        await store.close()
        try await settings.renew(schemas)
        store = try await settings.open(schemas)
        #expect(try await store.read(note.id, of: Self.note)?.values == note.values)
        let end = try await store.commit(ChangeSet()).token
        #expect(end.position == token.position && end.lifetime != token.lifetime)
        await store.close()
    }

    @Test(arguments: ["memory:", "read-only(memory:)"]) func `a store without a path, and a composition, are refused`(
        _ store: String
    ) async throws {
        let settings = try await settings(store)
        let failure = await #expect(throws: CommandFailure.self) { try await settings.renew(schemas.get()) }
        #expect(failure?.status == .usage)
    }
}
