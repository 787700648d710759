import Foundation

/// The changes of one command. Nothing is written until all of them are known to be possible.
struct Plan {
    let root: URL
    private var created: [String: String] = [:]
    private var edited: [String: String] = [:]
    private var deleted: [String] = []
    /// Files and lines that differ from the generated ones.
    private var differences: [String] = []

    init(root: URL) {
        self.root = root
    }

    private func text(of path: String) -> String? {
        edited[path] ?? (try? String(contentsOf: root.appending(path: path), encoding: .utf8))
    }

    mutating func create(_ path: String, _ text: String) throws {
        guard created[path] == nil, !FileManager.default.fileExists(atPath: root.appending(path: path).path) else {
            throw Refusal("\(path) exists: rename it, or choose another NAME")
        }
        created[path] = text
    }

    /// Creates a file, or replaces one that a former command has written.
    mutating func write(_ path: String, _ text: String) {
        if self.text(of: path) == nil { created[path] = text } else { edited[path] = text }
    }

    func contains(_ line: String, in path: String) -> Bool { text(of: path)?.contains(line) ?? false }

    mutating func insert(_ line: String, after start: String, in path: String) throws {
        guard let text = text(of: path) else {
            throw Refusal("\(path) is missing: the entity has no place in its list")
        }
        edited[path] = try SourceLists.inserting(line, after: start, in: text, path)
    }

    /// Deletes a file that has the generated text.
    mutating func delete(_ path: String, _ generated: String) {
        if text(of: path) == generated { deleted.append(path) } else { differences.append(path) }
    }

    /// Removes the lines that the sample has in a file, each once. Another line that names it is a difference.
    mutating func removeLines(_ lines: [String], from path: String) {
        for line in lines { remove(line, from: path) }
        guard let text = edited[path] else { return }
        edited[path] = text.replacing("\n\n\n", with: "\n\n")
        if Sample.contains(text) { keep(path) }
    }

    /// Notes a file that the command cannot change.
    mutating func keep(_ path: String) { differences.append(path) }

    mutating func remove(_ line: String, from path: String) {
        if let text = text(of: path), let rest = SourceLists.removing(line, from: text) {
            edited[path] = rest
        } else {
            differences.append("\(path): the line '\(line.trimmingCharacters(in: .whitespaces))'")
        }
    }

    /// Applies the changes, unless one of the files was edited.
    ///
    /// - Returns: A line for each changed file.
    func finish(isDry: Bool) throws -> String {
        guard differences.isEmpty else {
            throw Refusal("edited or missing, so nothing was removed:\n  " + differences.joined(separator: "\n  "))
        }
        let report =
            created.keys.sorted().map { "create \($0)" } + edited.keys.sorted().map { "edit   \($0)" }
            + deleted.sorted().map { "delete \($0)" }
        if !isDry {
            for (path, text) in created.merging(edited, uniquingKeysWith: { $1 }) { try text.write(below: root, path) }
            for path in deleted { try FileManager.default.removeItem(at: root.appending(path: path)) }
            if !deleted.isEmpty { try renewBuildPlan() }
        }
        return report.joined(separator: "\n")
    }

    /// SwiftPM made a plan of the build to run this program, and uses it again until the manifest has another date: in Swift
    /// 6.3, the next build demands the deleted files.
    private func renewBuildPlan() throws {
        let manifest = root.appending(path: "Package.swift").path
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: manifest)
    }
}
