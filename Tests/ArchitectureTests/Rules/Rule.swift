import Testing

/// Something that is true of the workspace, and a fixture that it is not true of.
struct Rule: Sendable, CustomTestStringConvertible {
    /// A sentence.
    let statement: String
    let fixture: Fixture
    let examine: @Sendable (SourceTree) -> Findings

    var testDescription: String { statement }

    /// What is wrong with a tree; a rule that finds nothing to look at has been left behind by the tree.
    func violations(in tree: SourceTree) -> [Violation] {
        let findings = examine(tree)
        return findings.examined == 0 ? [Violation("the rule matches nothing")] : findings.violations
    }
}

/// How much a rule looked at, and what it found.
struct Findings: Sendable {
    var examined = 0
    var violations: [Violation] = []
}

/// One place where a rule is broken.
struct Violation: Sendable, CustomStringConvertible {
    /// The file and the line in it, or `nil` where it is about a whole.
    let place: Place?
    let reason: String

    struct Place: Sendable, Hashable {
        let path: String
        let line: Int
    }

    init(_ reason: String) {
        place = nil
        self.reason = reason
    }

    init(_ path: String, _ line: Int, _ reason: String) {
        place = Place(path: path, line: line)
        self.reason = reason
    }

    var description: String { (place.map { "\($0.path):\($0.line): " } ?? "") + reason }
}

extension Rule {
    /// A rule that each Swift file of some folders keeps or breaks on its own, line by line.
    static func forEachFile(
        _ statement: String, in folders: [String], fixture: Fixture,
        _ broken: @escaping @Sendable (SourceFile) -> [(line: Int, reason: String)]
    ) -> Rule {
        Rule(statement: statement, fixture: fixture) { tree in
            let files = tree.files(in: folders).filter(\.isSwift)
            let violations = files.flatMap { file in
                broken(file).map { Violation(file.path, $0.line, $0.reason) }
            }
            return Findings(examined: files.count, violations: violations)
        }
    }

    /// A rule that no line of code in some folders matches a pattern.
    static func noCode(
        _ statement: String, matching pattern: @escaping @Sendable () -> Regex<Substring>, in folders: [String],
        fixture: Fixture
    ) -> Rule {
        forEachFile(statement, in: folders, fixture: fixture) { file in
            file.lines(ofCodeMatching: pattern()).map { ($0, "against the rule that \(statement)") }
        }
    }

    /// A rule that each target of the package keeps or breaks on its own.
    static func forEachTarget(
        _ statement: String, fixture: Fixture, where applies: @escaping @Sendable (PackageDescription.Target) -> Bool,
        _ broken: @escaping @Sendable (PackageDescription.Target) -> [String]
    ) -> Rule {
        Rule(statement: statement, fixture: fixture) { tree in
            let targets = tree.package.targets.filter(applies)
            let violations = targets.flatMap { target in broken(target).map { Violation("\(target.name): \($0)") } }
            return Findings(examined: targets.count, violations: violations)
        }
    }
}
