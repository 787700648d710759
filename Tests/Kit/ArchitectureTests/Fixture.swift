import Foundation
import LarderArchitecture

/// A tree that breaks a rule.
enum Fixture: Sendable {
    /// A folder of `Fixtures`. Its files end in `.txt`, so that they are not compiled; each line with `// caught` must
    /// be found by the rule, and no other. A `Package.json` is its package description.
    case folder(String)
    /// A tree that is too large to be written by hand.
    case generated(@Sendable () -> SourceTree)

    func tree() throws -> SourceTree {
        switch self {
        case .generated(let make): return make()
        case .folder(let name):
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
            let files = try SourceTree.files(below: folder.path) { $0.hasSuffix(".txt") }
                .map { SourceFile(path: String($0.path.dropLast(".txt".count)), text: $0.text) }
            guard let json = try? Data(contentsOf: folder.appending(path: "Package.json")) else {
                return SourceTree(files: files)
            }
            return SourceTree(files: files, package: try JSONDecoder().decode(PackageDescription.self, from: json))
        }
    }

    /// A Swift file with some number of lines.
    static func file(_ path: String, lines: Int) -> SourceFile {
        SourceFile(path: path, text: (1...lines).map { "let line\($0) = \($0)\n" }.joined())
    }
}

extension SourceTree {
    /// The positions that a rule must find.
    var marked: Set<Finding.Place> {
        var places: Set<Finding.Place> = []
        for file in files {
            for (index, line) in file.lines.enumerated() where line.contains("// caught") {
                places.insert(Finding.Place(path: file.path, line: index + 1))
            }
        }
        return places
    }
}
