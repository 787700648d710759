import Foundation
import LarderArchitecture

/// A list in a document of all files that contain a word, after a marker such as
/// `<!-- ledger: Photo in Domain Data App Tests -->`. The list consists of all paths in the bullets below it.
///
/// A path that ends in a slash represents all files of a folder. Paths outside the named folders are only information
/// for the reader.
struct Ledger: Sendable {
    let word: String
    let folders: [String]
    /// The line number of the marker.
    let line: Int
    /// Each path with its line number.
    let entries: [(path: String, line: Int)]

    static func all(in document: SourceFile) -> [Ledger] {
        let prose = document.prose
        return prose.enumerated().compactMap { offset, marker in
            guard let match = marker.text.prefixMatch(of: /<!-- ledger: (\w+) in ([^>]+) -->/) else { return nil }
            let list = prose[(offset + 1)...].prefix {
                $0.text.isEmpty || $0.text.hasPrefix("- ") || $0.text.first == " "
            }
            let entries = list.flatMap { line in
                SourceFile.quotations(in: line.text).filter { $0.contains("/") }.map { (path: $0, line: line.line) }
            }
            let folders = match.2.split(separator: " ").map(String.init)
            return Ledger(word: String(match.1), folders: folders, line: marker.line, entries: entries)
        }
    }

    /// The differences between the list and the workspace.
    func findings(in tree: SourceTree, of document: SourceFile) -> [Finding] {
        let knowing = tree.files(in: folders).filter { $0.isSwift && $0.mentions(word) }.map(\.path)
        func covers(_ entry: String, _ path: String) -> Bool {
            entry == path || entry.hasSuffix("/") && path.hasPrefix(entry)
        }
        let missing = knowing.filter { path in !entries.contains { covers($0.path, path) } }
        let judged = entries.filter { entry in folders.contains { entry.path.hasPrefix($0 + "/") } }
        let idle = judged.filter { entry in !knowing.contains { covers(entry.path, $0) } }
        return missing.map { Finding(document.path, line, "\($0) mentions \(word) and is not listed") }
            + idle.map { Finding(document.path, $0.line, "\($0.path) does not mention \(word)") }
    }
}

extension SourceFile {
    /// Whether the code has a name that contains a word, with an upper- or lower-case first letter.
    fileprivate func mentions(_ word: String) -> Bool {
        let small = word.prefix(1).lowercased() + word.dropFirst()
        let large = word.prefix(1).uppercased() + word.dropFirst()
        // Compares bytes, because comparing characters takes seconds over all sources.
        let bytes = Data(code.utf8)
        return [small, large].contains { bytes.range(of: Data($0.utf8)) != nil }
    }
}
