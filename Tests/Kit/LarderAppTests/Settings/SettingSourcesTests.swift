import Foundation
import Testing

@testable import LarderApp

struct SettingSourcesTests {
    private let folder = NSTemporaryDirectory() + "/larder-settings-" + UUID().uuidString

    private func sources(
        _ flags: [String: String] = [:], _ variables: [String: String] = [:], file: String? = nil
    ) async throws -> SettingSources {
        if let file {
            try FileManager.default.createDirectory(atPath: folder + "/service", withIntermediateDirectories: true)
            try Data(file.utf8).write(to: URL(filePath: folder + "/service/config.json"))
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let environment = UserEnvironment(["XDG_CONFIG_HOME": folder].merging(variables) { $1 })
        return try await SettingSources(flags: flags, environment: environment)
    }

    @Test func `a value says where it comes from`() async throws {
        let file = #"{"store": "file", "durability": "file", "as": "file"}"#
        let sources = try await sources(
            ["store": "flag"], ["SERVICE_STORE": "no", "SERVICE_AS": "variable"], file: file)
        let path = folder + "/service/config.json"
        for (setting, value, source) in [
            (Setting.store, "flag", "flag"), (.caller, "variable", "environment variable SERVICE_AS"),
            (.durability, "file", "file \(path)"), (Setting("port", "The port."), "standard", "default"),
            (.config, path, "default"),
        ] {
            let found = try sources.value(of: setting, default: "standard")
            #expect(found.value == value)
            #expect(found.source.description == source)
        }
    }

    @Test func `an empty variable is not set`() async throws {
        let found = try await sources([:], ["SERVICE_STORE": ""], file: #"{"store": "memory:"}"#).value(of: .store)
        #expect(found.value == "memory:")
    }

    @Test func `a secret is reported as set, and not shown`() async throws {
        let secret = Setting("signing-key", "The key.", isSecret: true)
        let found = try await sources([:], ["SERVICE_SIGNING_KEY": "abc"]).value(of: secret)
        #expect(found.value == "abc")
        #expect(found.shown == "<hidden>")
        #expect(try await sources().value(of: secret).shown == nil)
    }

    @Test func `a value of another type than text is a wrong setting, and says where`() async throws {
        let sources = try await sources(file: #"{"store": 5}"#)
        let failure = #expect(throws: CommandFailure.self) { try sources.value(of: .store) }
        #expect(failure?.status == .configuration)
        #expect(failure?.message == "file \(folder)/service/config.json: 'store' must be a string")
    }

    @Test(arguments: [
        (["--store", "memory:", "list"], ["list", "--store", "memory:"]),
        (
            ["--as=a@b", "--config", "c", "tags", "rename", "a", "b"],
            ["tags", "rename", "a", "b", "--as=a@b", "--config", "c"]
        ),
        (["--durability", "off", "show", "--", "-x"], ["show", "--durability", "off", "--", "-x"]),
        (["list", "--store", "memory:"], ["list", "--store", "memory:"]), (["--help"], ["--help"]),
        (["--store"], ["--store"]), ([], []),
    ])
    func `options of every command may precede it`(arguments: [String], expected: [String]) {
        #expect(StoreOptions.movedBehind(arguments) == expected)
    }
}
