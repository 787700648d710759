import Foundation
import LarderStoreContract

/// The requirements of the ports, and the laws that test them.
struct Requirements {
    /// The id of a sentence or clause, such as `commit.3`.
    struct ID: Hashable, Comparable, CustomStringConvertible {
        let name: Substring
        let number: Int

        init?(_ text: Substring) {
            guard let match = text.wholeMatch(of: /([a-z]+)\.([1-9][0-9]*)/), let number = Int(match.2) else {
                return nil
            }
            (name, self.number) = (match.1, number)
        }

        var description: String { "\(name).\(number)" }

        static func < (one: ID, other: ID) -> Bool { (one.name, one.number) < (other.name, other.number) }
    }

    /// The ids in the comments of each file, in their order, by the file's name.
    let files: [(name: String, ids: [ID])]
    let laws: [(name: String, requirements: [String])]
    /// The ids that no law can test, with the reasons.
    let untestable: [(id: String, reason: String)]
    /// The ids that no law tests yet.
    let untested: [String]

    /// Those of the kit.
    init() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../../..").standardizedFileURL
        var files: [(name: String, ids: [ID])] = []
        for folder in ["Domain/Kit", "Data/Kit"] {
            let url = root.appending(path: folder)
            let paths = try FileManager.default.subpathsOfDirectory(atPath: url.path)
            for path in paths.sorted() where path.hasSuffix(".swift") {
                let file = url.appending(path: path)
                let text = try String(contentsOf: file, encoding: .utf8)
                files.append((file.deletingPathExtension().lastPathComponent, Self.ids(in: text)))
            }
        }
        self.files = files
        laws = StoreContract.laws.map { ($0.name, $0.requirements) }
        untestable = StoreContract.untestable.map { ($0.key, $0.value) }
        untested = StoreContract.untested
    }

    /// A fixture.
    init(
        _ files: [(name: String, text: String)], laws: [(name: String, requirements: [String])] = [],
        untestable: [(id: String, reason: String)] = [], untested: [String] = []
    ) {
        self.files = files.map { ($0.name, Self.ids(in: $0.text)) }
        (self.laws, self.untestable, self.untested) = (laws, untestable, untested)
    }

    /// The ids in brackets in the comments of a source.
    private static func ids(in source: String) -> [ID] {
        source.split(separator: "\n").filter { $0.drop(while: \.isWhitespace).hasPrefix("///") }
            .flatMap { line in line.matches(of: /\[([a-z]+\.[0-9]+)\]/).compactMap { ID($0.1) } }
    }

    var all: [ID] { files.flatMap(\.ids) }

    /// The number of laws that test each requirement.
    var counts: [String: Int] {
        laws.flatMap { Set($0.requirements) }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}

extension Requirements {
    /// What violates the rules of requirements.
    var findings: [String] {
        let (all, counts) = (all.map(\.description), counts)
        let (known, declared) = (Set(all), untestable.map(\.id) + untested)
        var findings: [String] = []
        let occurrences: [String: Int] = all.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        for (id, number) in occurrences where number > 1 { findings.append("\(id) is in \(number) comments") }
        for law in laws {
            if law.requirements.isEmpty { findings.append("'\(law.name)' names no requirement") }
            findings += law.requirements.filter { !known.contains($0) }.map {
                "'\(law.name)' names \($0), which is in no comment"
            }
        }
        for id in declared {
            if !known.contains(id) { findings.append("\(id) is declared, and is in no comment") }
            if counts[id] != nil { findings.append("\(id) is declared, and a law tests it") }
        }
        findings += known.subtracting(declared).filter { counts[$0] == nil }.map { "\($0) is tested by no law" }
        if untestable.count * 20 > all.count { findings.append("\(untestable.count) of \(all.count) are untestable") }
        let testable = all.count - untestable.count
        if untested.count * 50 > testable { findings.append("\(untested.count) of \(testable) are not tested") }
        return findings.sorted()
    }

    /// The lines of the report below its introduction.
    var report: String {
        let (counts, testable) = (counts, all.count - untestable.count)
        var lines = [
            "\(laws.count) laws test \(testable - untested.count) of \(testable) requirements. "
                + "\(untestable.count) more cannot be tested.",
            "",
        ]
        for file in files where !file.ids.isEmpty {
            let runs = runs(of: file.ids.sorted()).map { run in
                let numbers = run.map { counts["\($0)"].map(String.init) ?? "–" }
                let tens = stride(from: 0, to: numbers.count, by: 10).map { start in
                    numbers[start...].prefix(10).joined(separator: ",")
                }
                return "\(run[0]): \(tens.joined(separator: " "))"
            }
            lines.append("- `\(file.name)`: \(runs.joined(separator: "; "))")
        }
        if !untested.isEmpty { lines += ["", "Not tested yet: \(untested.joined(separator: ", "))."] }
        let byReason = Dictionary(grouping: untestable, by: \.reason).mapValues { $0.map(\.id).joined(separator: ", ") }
        lines += ["", "Cannot be tested:", ""]
        lines += byReason.map { "- \($1): \($0)" }.sorted()
        return lines.map { $0 + "\n" }.joined()
    }

    /// Ids grouped by name and by consecutive numbers.
    private func runs(of ids: [ID]) -> [[ID]] {
        ids.reduce(into: []) { runs, id in
            if let last = runs.last?.last, last.name == id.name, last.number + 1 == id.number {
                runs[runs.count - 1].append(id)
            } else {
                runs.append([id])
            }
        }
    }
}
