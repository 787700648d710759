import Foundation

/// What a rule judges: files and the package description, of the workspace or of a fixture.
struct SourceTree: Sendable {
    let files: [SourceFile]
    let package: PackageDescription

    init(files: [SourceFile] = [], package: PackageDescription = PackageDescription(products: [], targets: [])) {
        self.files = files
        self.package = package
    }

    /// The files in a folder, at any depth.
    func files(in folders: [String]) -> [SourceFile] {
        files.filter { file in folders.contains { file.path.hasPrefix($0 + "/") } }
    }
}

extension SourceTree {
    static let testsFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    static let root = testsFolder.deletingLastPathComponent().deletingLastPathComponent()

    /// The workspace that these tests are part of, as it is on disk.
    static func workspace() async throws -> SourceTree {
        let files = try Self.files(below: root) { path in
            !path.hasPrefix("Tests/ArchitectureTests/Fixtures/") && isText(path)
        }
        return SourceTree(files: files, package: try await PackageDescription.workspace())
    }

    /// The files below a folder; hidden ones are left out, `.ci` excepted.
    static func files(below folder: URL, where isWanted: (String) -> Bool) throws -> [SourceFile] {
        let manager = FileManager.default
        var files: [SourceFile] = []
        var waiting = [""]
        while let directory = waiting.popLast() {
            for name in try manager.contentsOfDirectory(atPath: folder.path + "/" + directory).sorted() {
                if name.hasPrefix("."), name != ".ci" { continue }
                let path = directory + name
                let attributes = try manager.attributesOfItem(atPath: folder.path + "/" + path)
                if attributes[.type] as? FileAttributeType == .typeDirectory {
                    waiting.append(path + "/")
                } else if isWanted(path) {
                    let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                    files.append(SourceFile(path: path, text: text))
                }
            }
        }
        return files
    }

    private static func isText(_ path: String) -> Bool {
        let endings = [
            ".swift", ".md", ".sh", ".h", ".modulemap", ".json", ".jsonl", ".txt", ".css", ".html", ".js", ".yaml",
            ".toml", ".lua",
        ]
        return endings.contains { path.hasSuffix($0) } || path.hasPrefix(".ci/")
            || ["Makefile", "LICENSE"].contains(path)
    }
}
