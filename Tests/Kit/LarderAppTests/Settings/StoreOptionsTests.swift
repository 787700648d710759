import ArgumentParser
import Foundation
import LarderApp
import LarderData
import LarderInfrastructure
import Testing

struct StoreOptionsTests {
    private func settings(
        _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> StoreSettings {
        let variables = ["HOME": "/ada"].merging(environment) { $1 }
        return try await StoreOptions.parse(arguments).settings(in: UserEnvironment(variables))
    }

    @Test func `defaults hold where nothing is said`() async throws {
        let path = "/ada/.local/share/service/service.sqlite"
        #expect(try await settings() == StoreSettings(location: .sqlite(path: path), durability: .full))
    }

    @Test func `a flag hides a variable`() async throws {
        let environment = ["SERVICE_STORE": "memory:", "SERVICE_DURABILITY": "off"]
        #expect(try await settings(environment: environment) == StoreSettings(location: .memory, durability: .off))
        let flags = try await settings(["--store", "sqlite:a", "--durability", "normal"], environment: environment)
        #expect(flags == StoreSettings(location: .sqlite(path: "a"), durability: .normal))
    }

    @Test func `a settings file is read from the user's folder`() async throws {
        let folder = NSTemporaryDirectory() + "/larder-settings-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder + "/service", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/service/config.json"
        try Data(#"{"store": "memory:", "durability": "normal"}"#.utf8).write(to: URL(filePath: file))
        #expect(
            try await settings(environment: ["XDG_CONFIG_HOME": folder])
                == StoreSettings(location: .memory, durability: .normal))
        #expect(try await settings(["--durability", "off"], environment: ["SERVICE_CONFIG": file]).durability == .off)
        try Data("{".utf8).write(to: URL(filePath: file))
        let failure = await #expect(throws: CommandFailure.self) { try await settings(["--config", file]) }
        #expect(failure?.status == .configuration)
    }

    @Test func `the bounds of the journal are settings, and 0 changes turn it off`() async throws {
        #expect(try await settings().journal == JournalBounds())
        let bounds = ["SERVICE_JOURNAL_CHANGES": "5000", "SERVICE_JOURNAL_AGE": "36h"]
        let set = try await settings(environment: bounds)
        #expect(set.journal == JournalBounds(changes: 5000, age: .seconds(36 * 3_600)))
        #expect(set.moved(to: "/tmp/x").journal == set.journal)
        let off = try await settings(["--store", "memory:"], environment: ["SERVICE_JOURNAL_CHANGES": "0"])
        #expect(off.journal == nil)
        let schemas = try SchemaSet([])
        for (settings, isJournaled) in [(off, false), (StoreSettings(location: .memory), true)] {
            let store = try await settings.open(schemas)
            #expect(store.traits.capabilities.contains(.journal) == isJournaled)
            await store.close()
        }
        let invalid = ["SERVICE_JOURNAL_CHANGES": "-1", "SERVICE_JOURNAL_AGE": "5s"]
        let failure = await #expect(throws: CommandFailure.self) { try await settings(environment: invalid) }
        #expect(failure?.status == .configuration)
        #expect(
            failure?.message == """
                2 invalid settings:
                  environment variable SERVICE_JOURNAL_CHANGES: invalid journal-changes '-1': must be an integer from 0 \
                to 1000000000
                  environment variable SERVICE_JOURNAL_AGE: invalid journal-age '5s': must be a duration from 60s to \
                3650d, such as 250ms, 5s, or 2m
                """)
    }

    @Test func `a scratch store is of the kind that is set, elsewhere`() async throws {
        let environment = UserEnvironment(["HOME": "/ada"])
        for text in ["sqlite:", "sqlite:/data/mine"] {
            let options = try StoreOptions.parse(["--store", text])
            #expect(
                try await options.scratchSettings(path: "/tmp/x", in: environment).location == .sqlite(path: "/tmp/x"))
        }
        for text in ["file:", "file:/data/mine"] {
            let options = try StoreOptions.parse(["--store", text])
            #expect(
                try await options.scratchSettings(path: "/tmp/x", in: environment).location == .file(folder: "/tmp/x"))
        }
        let options = try StoreOptions.parse(["--store", "memory:"])
        #expect(try await options.scratchSettings(path: "/tmp/x", in: environment).location == .memory)
    }
}
