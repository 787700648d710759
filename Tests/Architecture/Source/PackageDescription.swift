import Foundation

/// The part of `swift package dump-package` that rules need.
public struct PackageDescription: Sendable, Decodable {
    /// The products.
    public let products: [Product]
    /// All targets, including tests.
    public let targets: [Target]

    /// A description, not necessarily of a package on disk.
    public init(products: [Product], targets: [Target]) {
        self.products = products
        self.targets = targets
    }

    /// A library or an executable.
    public struct Product: Sendable, Decodable {
        /// Its name.
        public let name: String
        /// The names of its targets.
        public let targets: [String]
    }

    /// A target of any type.
    public struct Target: Sendable, Decodable {
        /// Its name, which is the name of its module.
        public let name: String
        /// `regular`, `executable`, `test`, `system`, `plugin`, `macro` or `binary`.
        public let type: String
        /// Its folder, if the manifest states one.
        public let path: String?
        /// The targets and products that it declares.
        public let dependencies: [Dependency]
        /// Its build settings.
        public let settings: [Setting]

        /// Its folder from the root, without a slash at the end; SwiftPM's default folder if none is stated.
        public var folder: String {
            guard let path else { return (type == "test" ? "Tests/" : "Sources/") + name }
            return path.hasSuffix("/") ? String(path.dropLast()) : path
        }
    }

    /// The name of a target or product, under the key of its kind.
    public struct Dependency: Sendable, Decodable {
        /// The name of the target or product.
        public let name: String
        /// Whether it is a product of another package.
        public let isProduct: Bool

        /// Decodes the output of SwiftPM.
        public init(from decoder: any Decoder) throws {
            let parts = try [String: [DependencyPart]](from: decoder)
            guard let (key, values) = parts.first, case .name(let name)? = values.first else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no name"))
            }
            self.name = name
            isProduct = key == "product"
        }
    }

    /// A part of a dependency: a name, or a condition or null, which rules do not use.
    private enum DependencyPart: Decodable {
        case name(String)
        case other

        init(from decoder: any Decoder) throws {
            let value = try? decoder.singleValueContainer().decode(String.self)
            self = value.map(Self.name) ?? .other
        }
    }

    /// A setting: its kind, and its value if it has one: `enableUpcomingFeature: ExistentialAny`.
    public struct Setting: Sendable, Decodable {
        let kind: [String: [String: String]]

        /// The kind and the value: `swiftLanguageMode 6`, `strictMemorySafety`.
        public var text: String { kind.map { ([$0.key] + $0.value.values).joined(separator: " ") }.joined() }
    }
}

extension PackageDescription {
    /// Runs SwiftPM for the package in a folder.
    ///
    /// The tests may run inside `swift test`, which locks the build folder. Therefore, it uses a different scratch
    /// path.
    static func dump(_ root: String, environment: [String: String]) throws -> PackageDescription {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "architecture-\(UUID())")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let (output, complaints) = (scratch.appending(path: "output"), scratch.appending(path: "complaints"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", root, "--scratch-path", scratch.path, "dump-package",
        ]
        process.environment = environment
        // Files, because a full pipe without a reader blocks the process.
        process.standardOutput = try handle(output)
        process.standardError = try handle(complaints)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ArchitectureError.invalidManifest(try String(contentsOf: complaints, encoding: .utf8))
        }
        return try JSONDecoder().decode(PackageDescription.self, from: Data(contentsOf: output))
    }

    private static func handle(_ file: URL) throws -> FileHandle {
        try Data().write(to: file)
        return try FileHandle(forWritingTo: file)
    }
}
