import Foundation
import Testing

@testable import LarderApp

@Suite("An unknown setting is refused or reported")
struct SettingNamesTests {
    private static let settings: [Setting] = [
        .store, .config, .durability, .passphrase, Setting("http-reading", "Reading."),
        Setting("http-port", "The port."),
    ]

    /// A file with a mode, removed after the body.
    private func withFile<Result>(
        _ text: String, mode: Int = 0o644, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: "larder-names-\(UUID()).json").path
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return try await body(path)
    }

    private func failure(_ variables: [String: String], others: Set<String> = []) async -> CommandFailure? {
        do {
            _ = try await unknown(variables, others: others)
            return nil
        } catch { return error as? CommandFailure }
    }

    private func unknown(_ variables: [String: String], others: Set<String> = []) async throws -> [String] {
        let identity = ServiceIdentity(name: "my-loans", title: "My Loans", otherVariables: others)
        return try await ServiceIdentity.$current.withValue(identity) {
            let environment = UserEnvironment(variables.merging(["HOME": "/nowhere"]) { $1 })
            return try await SettingSources(flags: [:], environment: environment, settings: Self.settings)
                .unknownVariables
        }
    }

    @Test func `unknown members of the settings file are refused with the nearest name`() async throws {
        let text = #"{"http-readng": "closed", "store": "memory:", "config": "x", "http": {"port": 80}}"#
        try await withFile(text) { path in
            let failure = await self.failure(["MY_LOANS_CONFIG": path])
            #expect(failure?.status == .configuration)
            #expect(
                failure?.message == """
                    3 invalid settings:
                      file \(path): unknown setting 'http-readng'; did you mean http-reading?
                      file \(path): unknown setting 'config'
                      file \(path): unknown setting 'http'
                    """)
            // Without the names of a program's settings, all members are accepted.
            _ = try await SettingSources(flags: ["config": path], environment: UserEnvironment([:]))
        }
        try await withFile(#"{"store": "memory:", "store": "memory:"}"#) { path in
            let failure = await self.failure(["MY_LOANS_CONFIG": path])
            #expect(failure?.message.contains("is not a JSON object: line 1") == true)
        }
    }

    @Test(arguments: ["HTTP_READNG", "HTTP_READING_", "STOR", "SORTE", "HTTP_PROT", "HTTPS_PORT", "DURABILITYS"])
    func `a variable within two edits of a setting's is refused`(name: String) async {
        let failure = await self.failure(["MY_LOANS_\(name)": "1"])
        let start = "environment variable MY_LOANS_\(name): unknown setting; did you mean MY_LOANS_"
        #expect(failure?.status == .configuration && failure?.message.hasPrefix(start) == true)
        // It is not the service's without the prefix, or without a value.
        #expect(await self.failure([name: "1", "OTHER_\(name)": "1", "MY_LOANS_\(name)": ""]) == nil)
    }

    @Test func `other variables with the prefix are reported, and those of platforms and builds are not`() async throws
    {
        let variables = [
            "MY_LOANS_SHELVES": "1", "MY_LOANS_CORE": "1", "MY_LOANS_TRAITS": "x", "MY_LOANS_STORE": "memory:",
            "MY_LOANS_SERVICE_HOST": "10.0.0.1", "MY_LOANS_SERVICE_PORT": "80", "MY_LOANS_SERVICE_PORT_HTTP": "80",
            "MY_LOANS_PORT": "tcp://10.0.0.1:80", "MY_LOANS_PORT_80_TCP": "tcp://10.0.0.1:80",
            "MY_LOANS_PORT_80_TCP_ADDR": "10.0.0.1", "MY_LOANS_HTTPS_PORT": "tcp://10.0.0.1:443",
            "MY_LOANS_DB_SERVICE_HOST": "10.0.0.2",
        ]
        #expect(try await unknown(variables, others: ["CORE", "TRAITS"]) == ["MY_LOANS_SHELVES"])
        #expect(await self.failure(["MY_LOANS_CORE": "1"])?.message.contains("MY_LOANS_STORE?") == true)
    }

    @Test(arguments: [
        (0o400, true), (0o600, true), (0o440, true), (0o640, true), (0o644, false), (0o604, false), (0o660, false),
        (0o700, false),
    ])
    func `each file with a secret is readable by its owner and a group of the process only`(
        mode: Int, isAccepted: Bool
    ) async throws {
        let failure = try await withFile(#"{"passphrase": "correct horse"}"#, mode: mode) { path in
            let failure = await self.failure(["MY_LOANS_CONFIG": path])
            #expect((try? PrivateFile.text(at: path)) != nil || !isAccepted)
            return failure
        }
        #expect((failure == nil) == isAccepted)
        #expect(failure == nil || failure?.message.contains("which contains a secret, ") == true)
        #expect(failure?.message.contains("horse") != true)
        // Without a secret, each mode is accepted.
        try await withFile(#"{"store": "memory:"}"#, mode: mode) { path in
            #expect(await self.failure(["MY_LOANS_CONFIG": path]) == nil)
        }
    }

    @Test func `a group that the process does not have may not read a secret`() async throws {
        // Only root can change the group to any other.
        guard geteuid() == 0 else { return }
        try await withFile("correct horse", mode: 0o640) { path in
            let isChanged = unsafe chown(path, 0, 64_999) == 0
            #expect(isChanged)
            #expect(throws: CommandFailure.self) { try PrivateFile.text(at: path) }
        }
    }
}
