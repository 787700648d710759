import Foundation
import LarderTesting
import Testing

/// Stores created by earlier versions of `larder`; see `Databases/README.txt`.
struct GoldenStoreTests {
    private static let databases = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Databases")

    /// A store created by one version.
    struct Golden: CustomTestStringConvertible, Sendable {
        let version: String
        let kind: String

        var testDescription: String { "\(kind), \(version)" }

        /// Copies the store into a folder, so that opening it does not change the checkout.
        fileprivate func copy(to folder: TemporaryFolder) throws -> String {
            let name = kind == "sqlite" ? "store.sqlite" : "files"
            try FileManager.default.copyItem(
                at: databases.appending(path: "\(version)/\(name)"), to: URL(filePath: folder.path + "/" + name))
            return "\(kind):\(folder.path)/\(name)"
        }

        fileprivate var export: String {
            get throws {
                try String(contentsOf: databases.appending(path: "\(version)/export.jsonl"), encoding: .utf8)
            }
        }
    }

    static let all = ["20261122"].flatMap { version in
        ["sqlite", "file"].map { Golden(version: version, kind: $0) }
    }

    @Test(arguments: all)
    func `a store of an earlier version exports the same recipes, before and after it is written to`(
        golden: Golden
    ) throws {
        var larder = try LarderProcess()
        larder.environment["LARDER_STORE"] = try golden.copy(to: larder.folder)
        let expected = try golden.export
        #expect(expected.split(separator: "\n").count == 16)
        let first = try larder("export")
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output == expected)

        #expect(try larder("users", "add", "eva@example.org", "--first", "Eva", "--last", "Orr").status == 0)
        let second = try larder("export")
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.output == expected)
    }

    @Test(arguments: all)
    func `an ambiguous tag of an earlier version is an error, and merging resolves it`(
        golden: Golden
    ) throws {
        var larder = try LarderProcess()
        larder.environment["LARDER_STORE"] = try golden.copy(to: larder.folder)
        let guess = try larder("tags", "rename", "SWISS", "Alpine")
        #expect(guess.status == 66)
        #expect(guess.errors == "larder: no tag is named exactly 'SWISS'\nChoose one: Swiss, swiss\n")
        #expect(try larder("tags", "rename", "Swiss", "SWISS").status == 73)
        #expect(try larder("list", "--tag", "SWISS", "--json").output.contains("Fondue"))
        let merged = try larder("tags", "merge", "swiss", "Swiss")
        #expect(merged.output == "swiss is merged into Swiss; 1 recipe changed\n")
        #expect(try larder("tags", "rename", "swiss", "SWISS").output == "Swiss is now SWISS\n")
        #expect(try larder("verify").status == 0)
    }

    @Test(arguments: all)
    func `a store of an earlier version has its users, cookbooks, sessions, tokens, brands and photos`(
        golden: Golden
    ) throws {
        var larder = try LarderProcess()
        larder.environment["LARDER_STORE"] = try golden.copy(to: larder.folder)
        let stats = try larder("stats", "--json").output
        for part in ["recipes\":16", "ingredients\":73", "steps\":44", "tags\":21", "rated\":1", "photos\":1"] {
            #expect(stats.contains(part), "\(stats)")
        }
        for (command, part) in [
            (["users"], "ben@example.org"), (["cookbooks"], "Sundays"), (["cookbooks", "show", "Sundays"], "Crêpes"),
            (["sessions", "--as", "ada@example.org"], "Lentil soup"),
            (["users", "tokens", "ben@example.org"], "golden store"),
            (["brands"], "Miller"), (["tags"], "Swiss"), (["tags"], "swiss"),
            (["photo", "get", "crepes", "-"], "GIF89a"),
        ] {
            let answer = try larder.run(command, input: "/dev/null")
            #expect(answer.status == 0, "\(command): \(answer.errors)")
            #expect(answer.output.contains(part), "\(command): \(answer.output)")
        }
    }
}
