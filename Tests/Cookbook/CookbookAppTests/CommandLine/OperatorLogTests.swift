import Foundation
import LarderTesting
import Testing

/// The file of the setting `operator-log`.
struct OperatorLogTests {
    private var larder: LarderProcess
    private let log: String

    init() throws {
        larder = try LarderProcess.withRecipes()
        log = larder.folder.path + "/operators.log"
        larder.environment = ["LARDER_OPERATOR_LOG": "~/operators.log", "SUDO_USER": "olga"]
    }

    private func entries() throws -> [[String: String]] {
        guard let data = FileManager.default.contents(atPath: log) else { return [] }
        return try data.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode([String: String].self, from: $0)
        }
    }

    private func run(_ arguments: String...) throws -> String {
        let result = try larder.run(arguments, input: "/dev/null")
        guard result.status == 0 else { throw LarderProcess.Failed(answer: result) }
        return result.output
    }

    @Test func `it has each act of an operator, with the store and the users`() throws {
        let (folder, ada) = (larder.folder.path, "ada@example.org")
        _ = try run("users", "add", ada, "--first", "Ada", "--last", "Byron", "--role", "admin")
        _ = try run("users", "token", ada, "--as", ada)
        let token = try #require(try entries().first?["token"])
        #expect(try run("users", "tokens", ada).contains(token))
        _ = try run("users", "revoke", token)
        _ = try run("backup", folder + "/one.backup")
        _ = try run("restore", folder + "/one.backup", "--store", "file:\(folder)/files")
        _ = try run("followers", "announcements", "--retry")
        _ = try run("renew")
        _ = try run("transfer", "--to", "file:\(folder)/other")
        let entries = try entries()
        #expect(
            entries.map { $0["act"] } == [
                "issue token", "revoke token", "backup", "restore", "retry follower", "renew", "transfer",
            ])
        #expect(entries.allSatisfy { $0["message"] == "operator act" && $0["sudo"] == "olga" })
        #expect(entries.allSatisfy { $0["by"] == ProcessInfo.processInfo.userName })
        #expect(entries[0]["as"] == "ada@example.org" && entries[1]["as"] == nil)
        #expect(entries[0]["token"] == token && entries[1]["token"] == token)
        #expect(entries[0]["store"] == "sqlite:\(folder)/.local/share/larder/larder.sqlite")
        #expect(entries[2]["file"] == folder + "/one.backup")
        #expect(entries[3]["store"] == "file:\(folder)/files")
        #expect(entries[4]["follower"] == "announcements")
        #expect(entries[6]["to"] == "file:\(folder)/other")
    }

    @Test func `it has no entry of what only reads, or is refused before it begins`() throws {
        _ = try run("list")
        _ = try run("followers")
        _ = try run("migrate", "--plan")
        _ = try run("backup", larder.folder.path + "/one.backup")
        #expect(try larder("backup", larder.folder.path + "/one.backup").status == 73)
        _ = try run("restore", larder.folder.path + "/one.backup", "--verify")
        #expect(try entries().map { $0["act"] } == ["backup"])
    }

    @Test func `other users cannot read it`() throws {
        _ = try run("renew")
        let attributes = try FileManager.default.attributesOfItem(atPath: log)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [("/", "Is a directory"), ("/dev/full", "No space left on device")])
    func `an act that cannot be recorded is not done`(path: String, reason: String) throws {
        var larder = larder
        larder.environment["LARDER_OPERATOR_LOG"] = path
        let backup = larder.folder.path + "/one.backup"
        let result = try larder("backup", backup)
        #expect(result.status == 78)
        let problem = "environment variable LARDER_OPERATOR_LOG: cannot write the operator log \(path): \(reason)"
        #expect(result.errors.hasPrefix("larder: " + problem))
        #expect(!FileManager.default.fileExists(atPath: backup))
        #expect(try larder("list").status == 0)
    }
}
