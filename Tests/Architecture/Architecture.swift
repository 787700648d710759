import Foundation

/// A package on disk and its layers. `check` compares the two and returns what differs; it needs no test framework.
///
/// ```
/// let layers = [
///     Layer("Sources/Domain", imports: .only(Layer.language.union(["LarderDomain"]))),
///     Layer("Sources/App", imports: .any),
///     Layer("Tests/DomainTests", imports: .any, isProduct: false),
/// ]
/// let findings = try await Architecture(layers: layers).check()
/// ```
public struct Architecture: Sendable {
    /// The folder of the package, absolute and without a slash at the end.
    public let root: String
    /// Every folder of the package that has Swift sources, in any order.
    public let layers: [Layer]
    /// Which files are read, by the path from the root: sources of Swift, unless a rule also needs others.
    ///
    /// All of them must be UTF-8.
    public var reads: @Sendable (String) -> Bool = { $0.hasSuffix(".swift") }
    /// Names of hidden folders that are read. The others (`.build`, `.git`) are not.
    public var hiddenFolders: Set<String> = []
    /// The environment in which SwiftPM evaluates the manifest. Remove the switches that leave out targets.
    public var environment = ProcessInfo.processInfo.environment

    /// The package in a folder.
    public init(root: String, layers: [Layer]) {
        self.root = root
        self.layers = layers
    }

    /// The package that a source is part of: the nearest folder above the source that has a manifest.
    ///
    /// - Throws: `ArchitectureError.noManifest`, if there is none.
    public init(packageOf source: String = #filePath, layers: [Layer]) throws(ArchitectureError) {
        var folder = source[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            guard FileManager.default.fileExists(atPath: folder + "/Package.swift") else { continue }
            self.init(root: String(folder), layers: layers)
            return
        }
        throw .noManifest(above: source)
    }

    /// The files and the description of the package. Read it once when rules are checked one by one.
    ///
    /// It runs `swift package dump-package`, which takes a second, changes nothing in the package, and does not wait for
    /// a `swift test` that is running.
    ///
    /// - Throws: the error of a file that cannot be read, or `ArchitectureError.invalidManifest`.
    public func tree() async throws -> SourceTree {
        SourceTree(
            files: try SourceTree.files(below: root, hiddenFolders: hiddenFolders, where: reads),
            package: try PackageDescription.dump(root, environment: environment))
    }

    /// Where the package breaks rules; empty if it keeps all of them.
    ///
    /// - Parameter rules: `Rule.standard(for: layers)` if there are none.
    /// - Throws: what `tree` throws.
    public func check(_ rules: [Rule]? = nil) async throws -> [Finding] {
        let tree = try await tree()
        return (rules ?? Rule.standard(for: layers)).flatMap { $0.findings(in: tree) }
    }
}

/// Why a package cannot be checked.
public enum ArchitectureError: Error, Equatable {
    /// No folder above the source has a `Package.swift`.
    case noManifest(above: String)
    /// `swift package dump-package` failed and printed this.
    case invalidManifest(String)
}
