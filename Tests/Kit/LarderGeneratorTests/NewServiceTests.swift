import Foundation
import Testing

@testable import LarderGenerator

struct NewServiceTests {
    static let names = ["my-app", "2fast", "Ünï", "Swift", "Data", "class", "a b"]
    static let kits = [["KIT=path"], ["KIT=https://host/kits/larder.git", "VERSION=1.2.0"], ["KIT=vendored"]]

    @Test(arguments: names, kits)
    func `no file has the names of the template, of the sample, or of the kit's sample`(
        name: String, kit: [String]
    ) throws {
        let scratch = try Scratch()
        for sample in [[], ["SAMPLE=none"], ["SAMPLE=none", "STORE=postgres"], ["SAMPLE=none", "", "FOLLOWERS=1"]] {
            let folder = try scratch.service(
                name + "\(sample.count)", kit[0], kit.dropFirst().first ?? "", sample.first ?? "",
                sample.dropFirst().first ?? "", sample.dropFirst(2).first ?? "")
            let texts = try Scratch.texts(below: folder)
            for file in ["Package.swift", "README.md", "Dockerfile", ".swift-format", "docs/README.md"] {
                #expect(texts[file] != nil, "\(file)")
            }
            for (path, text) in texts where !path.hasPrefix("Kit/") {
                let found = (path + text).lowercased().matches(of: /loans|cookbook|recipe/)
                #expect(found.isEmpty, "\(path): \(found.map(\.output))")
                if !sample.isEmpty { #expect(!(path + text).lowercased().contains("bike"), "\(path)") }
            }
            #expect((texts["Kit/Package.swift"] != nil) == (kit == ["KIT=vendored"]))
            for (path, text) in texts where path.hasPrefix("Kit/") {
                #expect(!text.lowercased().contains("cookbook"), "\(path)")
            }
        }
    }

    @Test func `the dependency is a path, an address with a version, or a copy`() throws {
        let scratch = try Scratch()
        func manifest(_ name: String, _ more: String...) throws -> String {
            let folder = try scratch.service(name, more.first ?? "", more.dropFirst().first ?? "")
            return try String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
        }
        #expect(try manifest("a").contains(#".package(name: "larder", path: "../"#))
        let version = try manifest("b", "KIT=https://host/kits/my-kit.git", "VERSION=1.2.0")
        #expect(version.contains(#".package(url: "https://host/kits/my-kit.git", from: "1.2.0")"#))
        #expect(version.contains(#"package: "my-kit""#))
        let early = try manifest("d", "KIT=https://host/larder", "VERSION=0.2.0")
        #expect(early.contains(#".package(url: "https://host/larder", .upToNextMinor(from: "0.2.0"))"#))
        _ = try manifest("e", "KIT=vendored")
        let layers = try Scratch.texts(below: scratch.folder)["e/Tests/LayerTests.swift"]
        #expect(layers?.contains(#"Layer("Kit", imports: .any"#) ?? false)
        #expect(try manifest("c", "KIT=vendored").contains(#".package(name: "larder", path: "Kit")"#))
        // The names of the template in an address remain.
        let address = "https://host/loans/larder.git"
        #expect(try manifest("f", "KIT=\(address)", "VERSION=1.2.0").contains(address))
    }

    @Test func `only a service with followers names their products`() throws {
        let scratch = try Scratch()
        let without = try Scratch.texts(below: scratch.service("a"))
        let with = try Scratch.texts(below: scratch.service("b", "FOLLOWERS=1"))
        #expect(!without.contains { ($0.key + $0.value).contains("Follower") })
        let files = ["App/Container+Followers.swift", "App/Entities.swift", "App/Program.swift", "Package.swift"]
        #expect(with.filter { ($0.key + $0.value).contains("Followers") }.keys.sorted() == files)
    }

    @Test func `a change whose text is not in the template is refused`() throws {
        let edits = [Edit("a", "one", "two"), Edit("a", "two", "three"), Edit("b", "four", "five")]
        #expect(try edits.applied(to: "one, two", at: "a") == "three, three")
        #expect(throws: Refusal.self) { try edits.applied(to: "six", at: "b") }
    }

    @Test(arguments: [
        (["NAME="], "NAME is missing"), (["NAME=a", "KIT=path", "AT=there"], "exists"),
        (["NAME=a", "KIT=elsewhere"], "invalid KIT"), (["NAME=a", "KIT=https://host/larder"], "invalid VERSION"),
        (["NAME=a", "KIT=https://host/larder", "VERSION=latest"], "invalid VERSION"),
        (["NAME=a", "VERSION=1.0.0"], "requires a git address"), (["NAME=a", "KIT=path", "SAMPLE=all"], "SAMPLE=none"),
        (["NAME=a", "KIT=path", "STORE=mysql"], "STORE=sqlite, the default, or STORE=postgres"),
        (["NAME=a", "KIT=path", "FOLLOWERS=yes"], "write FOLLOWERS=1, or omit it"),
        (["NAME=hummingbird", "KIT=path"], "name of a dependency"),
        (["NAME=Larder", "KIT=vendored"], "name of a dependency"),
        (["NAME=a"], "KIT=vendored is a copy in the service, KIT=ADDRESS VERSION=1.0.0 a git repository, and KIT=path"),
    ])
    func `a request that cannot work writes nothing, and says why`(arguments: [String], reason: String) throws {
        let scratch = try Scratch()
        try "kept".write(below: scratch.folder, "there/file")
        let at = arguments.contains { $0.hasPrefix("AT=") } ? [] : ["AT=\(arguments[0].dropFirst(5))"]
        let refusal = try #require(throws: Refusal.self) {
            try NewService(try Arguments(arguments + at), in: scratch.folder).create()
        }
        #expect(refusal.message.contains(reason), "\(refusal.message)")
        #expect(try Scratch.texts(below: scratch.folder) == ["there/file": "kept"])
    }
}
