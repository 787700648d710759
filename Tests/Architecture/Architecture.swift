import Foundation

/// A package on disk and its layers. `check` compares the two and returns the differences; it needs no test framework.
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
    /// All folders of the package with Swift sources, in any order.
    public let layers: [Layer]
    /// The predicate that selects files by the path from the root: Swift sources, unless a rule needs others.
    ///
    /// All of them must be UTF-8.
    public var reads: @Sendable (String) -> Bool = { $0.hasSuffix(".swift") }
    /// The names of hidden folders to read. Other hidden folders (`.build`, `.git`) are skipped.
    public var hiddenFolders: Set<String> = []
    /// The environment for the evaluation of the manifest by SwiftPM. Remove switches that exclude targets.
    public var environment = ProcessInfo.processInfo.environment

    /// Describes the package in a folder.
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

    /// The files and the description of the package. Read it once to check several rules.
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

    /// The violations of rules; empty if the package keeps all of them.
    ///
    /// - Parameter rules: The rules; by default, `Rule.standard(for: layers)`.
    /// - Throws: The errors of `tree`.
    public func check(_ rules: [Rule]? = nil) async throws -> [Finding] {
        let tree = try await tree()
        return (rules ?? Rule.standard(for: layers)).flatMap { $0.findings(in: tree) }
    }
}

/// A reason why a package cannot be checked.
public enum ArchitectureError: Error, Equatable {
    /// No folder above the source has a `Package.swift`.
    case noManifest(above: String)
    /// `swift package dump-package` failed with this output.
    case invalidManifest(String)
}
