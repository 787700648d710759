import LarderArchitecture

/// A fork may delete all documents that these rules apply to.
extension Checked {
    static let documents: [Checked] = [
        forEachBlock(
            "every block of Swift in a document stands in the file that it is from", "swift",
            fixture: .folder("excerpts")
        ) { block, tree in
            guard let path = block.source else { return "names no file" }
            guard let source = tree.files.first(where: { $0.path == path }) else { return "there is no \(path)" }
            return block.isExcerpt(of: source) ? nil : "is not in \(path)"
        },
        // `Tests/Proof/documents` runs the commands and compares their output. It finds fences as this rule does.
        forEachDocument("every block in a document is run, compared, drawn or parsed", fixture: .folder("blocks")) {
            document, _ in
            let strays = document.prose.filter { $0.text.drop(while: \.isWhitespace).prefixMatch(of: /```|~~~/) != nil }
            return document.blocks.compactMap { block in
                block.strayReason.map { Finding(document.path, block.line, $0) }
            } + strays.map { Finding(document.path, $0.line, "is a fence that nothing reads") }
        },
        forEachDocument("every file that a document names is there", fixture: .folder("named-files")) {
            document, tree in
            document.prose.flatMap { line in
                let named = SourceFile.quotations(in: line.text).filter { $0.wholeMatch(of: pathPattern) != nil }
                return (named + document.links(in: line.text)).filter { !tree.hasPath($0) }
                    .map { Finding(document.path, line.line, "there is no \($0)") }
            }
        },
        documentRule("every test that a document names is there", fixture: .folder("named-tests")) { tree in
            var result = Examination()
            for document in tree.documents {
                for line in document.prose {
                    for named in line.text.matches(of: /`(Tests\/[^`]+\.swift)`: `([^`]+)`/) {
                        result.examined += 1
                        let file = tree.files.first { $0.path == named.1 }
                        guard file?.text.contains("func `\(named.2)`(") != true else { continue }
                        result.findings.append(
                            Finding(document.path, line.line, "\(named.1) has no test '\(named.2)'"))
                    }
                }
            }
            return result
        },
        forEachDocument("every document can be reached from the index", fixture: .folder("index")) { document, tree in
            let index = document.path == "docs/README.md" ? "README.md" : "docs/README.md"
            guard document.path != "README.md" else { return [] }
            let linked = tree.documents.first { $0.path == index }
                .map { file in file.prose.flatMap { file.links(in: $0.text) } }
            return linked?.contains(document.path) == true
                ? [] : [Finding(document.path, 1, "is not linked from \(index)")]
        },
        documentRule(
            "every ledger lists the files that know its word, and no others", fixture: .folder("ledgers")
        ) { tree in
            var result = Examination()
            for document in tree.documents {
                let ledgers = Ledger.all(in: document)
                result.examined += ledgers.count
                result.findings += ledgers.flatMap { $0.findings(in: tree, of: document) }
            }
            return result
        },
        documentRule("a table names every case and member that its file declares", fixture: .folder("names")) { tree in
            var result = Examination()
            for document in tree.documents {
                for (offset, marker) in document.prose.enumerated() {
                    guard let path = marker.text.prefixMatch(of: /<!-- names: (\S+) -->/)?.1 else { continue }
                    result.examined += 1
                    let table = document.prose[(offset + 1)...].prefix { $0.text.hasPrefix("|") }.map(\.text).joined()
                    let names = tree.files.first { $0.path == path }?.declaredNames ?? ["a file \(path)"]
                    result.findings += names.filter { !table.contains("`\($0)`") && !table.contains(".\($0)") }
                        .map { Finding(document.path, marker.line, "the table lacks \($0)") }
                }
            }
            return result
        },
        documentRule(
            "the reading path names from 10 to 25 files of Swift, each by its path",
            fixture: .folder("reading-path")
        ) { tree in
            guard let readme = tree.files.first(where: { $0.path == "README.md" }) else { return Examination() }
            let named = readme.section("## Reading path").flatMap { line in
                SourceFile.quotations(in: line.text).map { (path: $0, line: line.line) }
            }
            guard !named.isEmpty else { return Examination() }
            let wrong = named.filter { !($0.path.hasSuffix(".swift") && tree.hasPath($0.path)) }
            let count = (10...25).contains(named.count) ? [] : [Finding("it names \(named.count) files")]
            return Examination(
                examined: named.count,
                findings: wrong.map { Finding(readme.path, $0.line, "\($0.path) is no file of Swift") } + count)
        },
        documentRule(
            "every decision has a number of its own, and says when it does not apply",
            fixture: .folder("decisions")
        ) { tree in
            let decisions = tree.files(in: ["docs/decisions"])
            let numbers = decisions.map { $0.path.split(separator: "/").last?.prefix(4) }
            var findings: [Finding] = []
            for decision in decisions {
                let number = decision.path.split(separator: "/").last?.prefix(4)
                let title = number.flatMap { Int($0) }.map { "# \($0). " }
                if title.map({ decision.text.hasPrefix($0) }) != true || numbers.count(where: { $0 == number }) > 1 {
                    findings.append(Finding(decision.path, 1, "begins with no number of its own"))
                }
                let missing = decisionParts.filter { part in !decision.lines.contains { $0.hasPrefix("**\(part).**") } }
                findings += missing.map { Finding(decision.path, 1, "lacks '\($0)'") }
            }
            return Examination(examined: decisions.count, findings: findings)
        },
    ]

    private static let decisionParts = [
        "Decision", "Why", "Alternatives", "Cost", "When this does not apply",
    ]

    /// Text that denotes a path: it starts with a folder of the root and has no placeholder.
    private static var pathPattern: Regex<Substring> {
        /(?:Domain|Data|Infrastructure|App|Tests|Benchmarks|docs|\.ci)\/[\w.+\-\/]*/
    }

    private static func documentRule(
        _ statement: String, fixture: Fixture, examine: @escaping @Sendable (SourceTree) -> Examination
    ) -> Checked {
        Checked(Rule(statement, mayMatchNothing: true, examine: examine), fixture)
    }

    /// A rule about each document.
    private static func forEachDocument(
        _ statement: String, fixture: Fixture,
        _ findings: @escaping @Sendable (SourceFile, SourceTree) -> [Finding]
    ) -> Checked {
        documentRule(statement, fixture: fixture) { tree in
            let documents = tree.documents
            return Examination(examined: documents.count, findings: documents.flatMap { findings($0, tree) })
        }
    }

    /// A rule about each block of a language.
    private static func forEachBlock(
        _ statement: String, _ language: String, fixture: Fixture,
        _ broken: @escaping @Sendable (MarkdownBlock, SourceTree) -> String?
    ) -> Checked {
        documentRule(statement, fixture: fixture) { tree in
            var result = Examination()
            for document in tree.documents {
                for block in document.blocks where block.language == language {
                    result.examined += 1
                    guard let reason = broken(block, tree) else { continue }
                    result.findings.append(Finding(document.path, block.line, reason))
                }
            }
            return result
        }
    }
}

extension SourceFile {
    /// The names of cases and of static members that are public.
    fileprivate var declaredNames: [String] {
        code.matches(of: /\n *(?:case|public static (?:let|func)) (\w+)/).map { String($0.1) }
    }
}

extension MarkdownBlock {
    /// The reason why no rule checks the block, if there is one.
    fileprivate var strayReason: String? {
        switch language {
        // The tests of the sample parse YAML: its package is in no other dependency.
        case "sh", "swift", "mermaid", "yaml": nil
        case "text": languageAbove == "sh" ? nil : "is printed by no command above it"
        default: "is fenced as '\(language)'"
        }
    }
}
