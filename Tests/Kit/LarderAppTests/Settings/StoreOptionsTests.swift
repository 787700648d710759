import ArgumentParser
import Foundation
import LarderApp
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
