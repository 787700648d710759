import ArgumentParser
import Foundation
import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderApp

/// Passphrases and the keys of sealed columns in settings.
struct StoreSecretsTests {
    private static let keys = "k1 " + Data(0..<32).base64EncodedString()

    /// A folder that is removed when the value is.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "larder-secrets-\(UUID())").path

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func secret(_ text: String, mode: Int = 0o600) throws -> String {
            let file = "\(path)/\(UUID())"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            return file
        }

        /// Whether a file in the folder contains the text.
        func contains(_ text: String) throws -> Bool {
            try FileManager.default.subpathsOfDirectory(atPath: path).contains { name in
                (try? Data(contentsOf: URL(filePath: "\(path)/\(name)")).contains(text)) == true
            }
        }
    }

    private func settings(_ store: String, _ variables: [String: String]) async throws -> StoreSettings {
        let environment = ["HOME": "/ada"].merging(variables) { $1 }
        return try await StoreOptions.parse(["--store", store]).settings(in: UserEnvironment(environment))
    }

    private func refusal(_ store: String, _ variables: [String: String]) async -> String? {
        let failure = await #expect(throws: CommandFailure.self) { try await settings(store, variables) }
        #expect(failure?.status == .configuration)
        return failure?.message
    }

    @Test(arguments: ["sqlite", "file"])
    func `sealed columns are sealed in the store and its backups, and restored without keys`(kind: String) async throws
    {
        let folder = try Folder()
        let schemas = try SchemaSet([Ward.nurse])
        let file = ["SERVICE_SEALING_KEY_FILE": try folder.secret(Self.keys + "\n")]
        let sealed = try await settings("\(kind):\(folder.path)/store", file)
        let nurse = StorageObject(schema: Ward.nurse, id: Ward.id(1), values: [.text("Ada Lovelace")])
        let store = try await sealed.open(schemas)
        _ = try await store.commit(ChangeSet(inserts: [nurse]))
        await store.close()
        let backup = "\(folder.path)/backup"
        #expect(try await sealed.backUp(schemas, to: backup, replacing: false).count == 2)
        let other = "\(kind == "file" ? "sqlite" : "file"):\(folder.path)/other"
        let withoutKeys = try await settings(other, [:])
        _ = try await withoutKeys.restore(backup, schemas, replacing: false)
        #expect(try await withoutKeys.schemaStatus(schemas).changes == [])
        let missing = await #expect(throws: CommandFailure.self) { try await withoutKeys.open(schemas) }
        #expect(missing?.message == "columns of nurse are sealed, and no key is set")
        #expect(try !folder.contains("Lovelace"))
        let transferred = try await settings("\(kind):\(folder.path)/transferred", [:])
        _ = try await StoreTransfer(from: withoutKeys, to: transferred, schemas).run()
        for store in [other, "\(kind):\(folder.path)/transferred"] {
            let restored = try await settings(store, ["SERVICE_SEALING_KEYS": Self.keys]).open(schemas)
            #expect(try await restored.read(nurse.id, of: Ward.nurse)?.values == nurse.values)
            await restored.close()
        }
    }

    @Test func `a file store is sealed by a passphrase, and all its commands use it`() async throws {
        let folder = try Folder()
        let schemas = try SchemaSet([Ward.nurse])
        let keys = ["SERVICE_SEALING_KEYS": Self.keys]
        let plain = try await settings("file:\(folder.path)/plain", keys)
        let nurse = StorageObject(schema: Ward.nurse, id: Ward.id(1), values: [.text("Ada Lovelace")])
        let store = try await plain.open(schemas)
        _ = try await store.commit(ChangeSet(inserts: [nurse]))
        await store.close()
        let backup = "\(folder.path)/backup"
        _ = try await plain.backUp(schemas, to: backup, replacing: false)
        let secret = keys.merging(["SERVICE_PASSPHRASE": "correct horse"]) { $1 }
        let sealed = try await settings("file:\(folder.path)/sealed", secret)
        _ = try await sealed.restore(backup, schemas, replacing: false)
        #expect(try await sealed.schemaStatus(schemas).changes == [])
        _ = try await sealed.compact(schemas)
        var log = try sealed.log()
        #expect(try await log.next() != nil)
        let opened = try await sealed.open(schemas)
        #expect(try await opened.read(nurse.id, of: Ward.nurse)?.values == nurse.values)
        await opened.close()
        let locked = try await settings("file:\(folder.path)/sealed", keys)
        for refused in [locked, try await settings("file:\(folder.path)/plain", secret)] {
            let error = await #expect(throws: PersistencyError.self) { try await refused.open(schemas) }
            #expect("\(String(describing: error))".contains("sealed"))
        }
    }

    @Test func `a secret comes from one source, and its file is private`() async throws {
        let folder = try Folder()
        let (shared, own) = (try folder.secret(Self.keys, mode: 0o644), try folder.secret("correct horse"))
        let both = ["SERVICE_SEALING_KEYS": Self.keys, "SERVICE_SEALING_KEY_FILE": own]
        let twice = "environment variable SERVICE_SEALING_KEYS: set either sealing-keys or sealing-key-file"
        #expect(await refusal("memory:", both) == twice)
        let readable = await refusal("memory:", ["SERVICE_SEALING_KEY_FILE": shared])
        #expect(readable == "the secret file \(shared) can be read by other users")
        let missing = await refusal("memory:", ["SERVICE_SEALING_KEY_FILE": "~/none"])
        #expect(missing == "the secret file /ada/none cannot be read, or is not UTF-8")
        let noKeys = await refusal("memory:", ["SERVICE_SEALING_KEY_FILE": own])
        #expect(noKeys?.hasPrefix("\(own), line 1: ") == true && noKeys?.contains("horse") == false)
    }

    @Test func `a passphrase is for stores in files, and is never shown`() async throws {
        let folder = try Folder()
        let variable = ["SERVICE_PASSPHRASE": "correct horse"]
        let expected = try Passphrase("correct horse")
        #expect(try await settings("sqlite:a", variable).secrets.passphrase == expected)
        let file = ["SERVICE_PASSPHRASE_FILE": try folder.secret("correct horse\n")]
        #expect(try await settings("sqlite:a", file).secrets.passphrase == expected)
        let message = await refusal("memory:", variable)
        #expect(
            message
                == "environment variable SERVICE_PASSPHRASE, passphrase: a passphrase seals sqlite: and file: stores only"
        )
        let long = await refusal("sqlite:a", ["SERVICE_PASSPHRASE": String(repeating: "horse", count: 300)])
        #expect(long?.contains("1 to 1,024 bytes") == true && long?.contains("horse") == false)
        let sources = try await StoreOptions.parse([]).sources(in: UserEnvironment(variable))
        #expect(try StoreSettings.effective(in: sources).allSatisfy { $0.shown?.contains("horse") != true })
        var dumped = ""
        dump(try await settings("sqlite:a", variable), to: &dumped)
        #expect(!dumped.contains("horse") && !dumped.contains("99, 111"))
    }
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
