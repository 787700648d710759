import Foundation

/// What `swift package dump-package` says of a package, as far as rules ask.
struct PackageDescription: Sendable, Decodable {
    let products: [Product]
    let targets: [Target]

    struct Product: Sendable, Decodable {
        let name: String
        let targets: [String]
    }

    struct Target: Sendable, Decodable {
        let name: String
        let type: String
        let path: String?
        let dependencies: [Dependency]
        let settings: [Setting]
    }

    /// The name of a target or product, under the key that says how it was declared.
    struct Dependency: Sendable, Decodable {
        let name: String
        let isProduct: Bool

        init(from decoder: any Decoder) throws {
            let parts = try [String: [DependencyPart]](from: decoder)
            guard let (key, values) = parts.first, case .name(let name)? = values.first else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no name"))
            }
            self.name = name
            isProduct = key == "product"
        }
    }

    /// A part of a dependency: a name, or a condition or nothing, which rules do not ask for.
    private enum DependencyPart: Decodable {
        case name(String)
        case other

        init(from decoder: any Decoder) throws {
            let value = try? decoder.singleValueContainer().decode(String.self)
            self = value.map(Self.name) ?? .other
        }
    }

    /// A setting by its kind, with its one value, if it has one: `enableUpcomingFeature: ExistentialAny`.
    struct Setting: Sendable, Decodable {
        let kind: [String: [String: String]]

        var text: String { kind.map { ([$0.key] + $0.value.values).joined(separator: " ") }.joined() }
    }
}

extension PackageDescription {
    /// The workspace's own, App included.
    ///
    /// The tests may run inside `swift test`, which holds the lock of the build folder: hence a scratch path elsewhere.
    static func workspace() async throws -> PackageDescription {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "larder-architecture-\(UUID())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", SourceTree.root.path, "--scratch-path", scratch.path, "dump-package",
        ]
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "LARDER_CORE" }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let description = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Unreadable(status: process.terminationStatus) }
        return try JSONDecoder().decode(PackageDescription.self, from: description)
    }

    struct Unreadable: Error {
        let status: Int32
    }
}
