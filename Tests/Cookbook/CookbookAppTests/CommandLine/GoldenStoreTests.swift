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

    /// Stores whose tags have distinct names, ignoring case and diacritics.
    static let all = stores("20261129")
    /// Stores with two spellings of one tag.
    static let ambiguous = stores("20261122")

    private static func stores(_ version: String) -> [Golden] {
        ["sqlite", "file"].map { Golden(version: version, kind: $0) }
    }

    /// A process with a copy of the store, which it has migrated.
    private func migrated(_ golden: Golden) throws -> LarderProcess {
        var larder = try LarderProcess()
        larder.environment["LARDER_STORE"] = try golden.copy(to: larder.folder)
        let refused = try larder("export")
        #expect(refused.status == 69 && refused.errors.contains("migrate"), "\(refused)")
        let migration = try larder("migrate")
        #expect(migration.status == 0, "\(migration.errors)")
        return larder
    }

    @Test(arguments: all)
    func `a store of an earlier version exports the same recipes, before and after it is written to`(
        golden: Golden
    ) throws {
        let larder = try migrated(golden)
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

    @Test(arguments: ambiguous)
    func `two spellings of a tag are listed, and the store of an earlier version stays as it is`(
        golden: Golden
    ) throws {
        var larder = try LarderProcess()
        larder.environment["LARDER_STORE"] = try golden.copy(to: larder.folder)
        for _ in 1...2 {
            let refused = try larder("migrate")
            #expect(refused.status == 69 && refused.output.isEmpty, "\(refused)")
            #expect(refused.errors.contains("objects of tag have the same name_folded, which must be unique: "))
        }
    }

    @Test(arguments: all)
    func `a tag of an earlier version is found and renamed in any spelling`(golden: Golden) throws {
        let larder = try migrated(golden)
        #expect(try larder("list", "--tag", "SWÏSS", "--json").output.contains("Fondue"))
        #expect(try larder("tags", "rename", "swiss", "SWISS").output == "Swiss is now SWISS\n")
        #expect(try larder("tags", "rename", "vegan", "Swíss").status == 73)
        #expect(try larder("verify").status == 0)
    }

    @Test(arguments: all)
    func `a store of an earlier version has its users, cookbooks, sessions, tokens, brands and photos`(
        golden: Golden
    ) throws {
        let larder = try migrated(golden)
        let stats = try larder("stats", "--json").output
        for part in ["recipes\":16", "ingredients\":73", "steps\":44", "tags\":20", "rated\":1", "photos\":1"] {
            #expect(stats.contains(part), "\(stats)")
        }
        for (command, part) in [
            (["users"], "ben@example.org"), (["cookbooks"], "Sundays"), (["cookbooks", "show", "Sundays"], "Crêpes"),
            (["sessions", "--as", "ada@example.org"], "Lentil soup"),
            (["users", "tokens", "ben@example.org"], "golden store"),
            (["brands"], "Miller"), (["tags"], "Swiss"),
            (["photo", "get", "crepes", "-"], "GIF89a"),
        ] {
            let answer = try larder.run(command, input: "/dev/null")
            #expect(answer.status == 0, "\(command): \(answer.errors)")
            #expect(answer.output.contains(part), "\(command): \(answer.output)")
        }
    }
}
