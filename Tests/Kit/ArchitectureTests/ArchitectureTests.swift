import Foundation
import LarderArchitecture
import Testing

/// The use of the library by a service: one call, with the service's layers.
@Suite("A third-party package")
struct ArchitectureTests {
    private let layers = [
        Layer("Sources/Domain", imports: .only(Layer.language)),
        Layer("Sources/Server", imports: .any),
        Layer("Tests/DomainTests", imports: .any, isProduct: false),
    ]

    @Test func `a package that keeps its layers has no findings`() async throws {
        try await withPackage { root in
            let findings = try await Architecture(packageOf: root + "/Tests/DomainTests/Any.swift", layers: layers)
                .check()
            #expect(findings.isEmpty, "\(findings)")
        }
    }

    @Test func `a violation is reported with its file and line`() async throws {
        try await withPackage { root in
            try "public import Server\nlet first = try! read()\n".write(
                toFile: root + "/Sources/Domain/Order.swift", atomically: true, encoding: .utf8)
            let findings = try await Architecture(root: root, layers: layers).check()
            #expect(
                Set(findings.map(\.description)) == [
                    "Sources/Domain/Order.swift:1: Sources/Domain may not import Server",
                    "Sources/Domain/Order.swift:1: Domain does not declare Server",
                    "Sources/Domain/Order.swift:2: against the rule that product code forces no try and no cast",
                ])
        }
    }

    @Test func `the manifest is evaluated in the given environment`() async throws {
        try await withPackage { root in
            var architecture = Architecture(root: root, layers: layers)
            architecture.environment["SHOP_DOMAIN"] = "1"
            let domain = try await architecture.tree()
            architecture.environment["SHOP_DOMAIN"] = nil
            let all = try await architecture.tree()
            #expect(domain.package.targets.map(\.name) == ["Domain"])
            #expect(all.package.targets.count == 3)
        }
    }

    @Test func `a layer without files fails, unless it may be absent`() {
        let layer = Layer("Sources/Sample", imports: .any)
        let optional = Layer("Sources/Sample", imports: .any, mayBeAbsent: true)
        let tree = SourceTree(files: [SourceFile(path: "Sources/Domain/Order.swift", text: "")])
        #expect(Rule.everyLayerHasAFile([layer]).findings(in: tree).map(\.reason) == ["Sources/Sample has no file"])
        #expect(Rule.everyLayerHasAFile([optional]).findings(in: tree).isEmpty)
    }

    @Test func `a source outside all packages, or a manifest that does not compile, is an error`() async throws {
        #expect(throws: ArchitectureError.noManifest(above: "/nowhere/Any.swift")) {
            try Architecture(packageOf: "/nowhere/Any.swift", layers: [])
        }
        try await withPackage { root in
            try "let package =".write(toFile: root + "/Package.swift", atomically: true, encoding: .utf8)
            let error = await #expect(throws: ArchitectureError.self) {
                try await Architecture(root: root, layers: layers).tree()
            }
            guard case .invalidManifest(let reason)? = error else { Issue.record("\(error as Any)"); return }
            #expect(reason.contains("error:"))
        }
    }

    private func withPackage(_ body: (String) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "architecture-tests-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let files = [
            "Package.swift": """
            // swift-tools-version: 6.2
            import PackageDescription
            let omits = Context.environment["SHOP_DOMAIN"] == "1"
            let package = Package(
                name: "shop",
                targets: [.target(name: "Domain")] + (omits ? [] : [
                    .executableTarget(name: "Server", dependencies: ["Domain"], path: "Sources/Server/"),
                    .testTarget(name: "DomainTests", dependencies: ["Domain"]),
                ]))
            """,
            "Sources/Domain/Order.swift": "public struct Order {}\n",
            "Sources/Server/main.swift": "import Domain\nprint(Order())\n",
            "Tests/DomainTests/OrderTests.swift": "import Domain\nimport Testing\n",
        ]
        for (path, text) in files {
            let file = URL(filePath: root + "/" + path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        try await body(root)
    }
}
