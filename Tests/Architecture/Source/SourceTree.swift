import Foundation

/// The input of rules: files and the description of a package.
public struct SourceTree: Sendable {
    /// The files, in any order.
    public let files: [SourceFile]
    /// The content of the manifest.
    public let package: PackageDescription

    /// A tree, not necessarily on disk, for example a fixture that breaks a rule.
    public init(
        files: [SourceFile] = [], package: PackageDescription = PackageDescription(products: [], targets: [])
    ) {
        self.files = files
        self.package = package
    }

    /// The files in some folders, at any depth.
    public func files(in folders: [String]) -> [SourceFile] {
        files.filter { file in folders.contains { file.path.hasPrefix($0 + "/") } }
    }

    /// Reads the files below a folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - hiddenFolders: The names of hidden folders to read; others are skipped.
    ///   - isWanted: Whether to read a file, given its path from the folder. Symbolic links to folders are not
    ///     followed.
    /// - Throws: The error of a file that cannot be read, or that is not UTF-8.
    public static func files(
        below folder: String, hiddenFolders: Set<String> = [], where isWanted: (String) -> Bool
    ) throws -> [SourceFile] {
        let manager = FileManager.default
        var files: [SourceFile] = []
        var waiting = [""]
        while let directory = waiting.popLast() {
            for name in try manager.contentsOfDirectory(atPath: folder + "/" + directory).sorted() {
                if name.hasPrefix("."), !hiddenFolders.contains(name) { continue }
                let path = directory + name
                let attributes = try manager.attributesOfItem(atPath: folder + "/" + path)
                if attributes[.type] as? FileAttributeType == .typeDirectory {
                    waiting.append(path + "/")
                } else if isWanted(path) {
                    let text = try String(contentsOf: URL(filePath: folder + "/" + path), encoding: .utf8)
                    files.append(SourceFile(path: path, text: text))
                }
            }
        }
        return files
    }
}
