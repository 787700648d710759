import LarderArchitecture

extension Checked {
    /// Phrases that are true of some stores or operations only, and the pages that may use them.
    private static let phrases: [(phrase: String, pages: Set<String>)] = [
        (
            "one process",
            [
                "README.md", "docs/README.md", "docs/comparison.md", "docs/deployment.md", "docs/file-store.md",
                "docs/http.md", "docs/migrations.md", "docs/postgres.md", "docs/scale.md", "docs/sqlite-store.md",
            ]
        ),
        ("three stores", []),
        ("not available", ["docs/deployment.md"]),
        ("additions only", ["docs/comparison.md"]),
    ]

    /// Pages in which readers look things up: they may be longer than those that are read from start to end.
    private static let references: Set = ["docs/abilities.md", "docs/http.md", "docs/reference.md", "docs/settings.md"]

    /// The pages in `docs`, and their words as `wc` counts them. Decisions are not counted.
    private static func wordCounts(in tree: SourceTree) -> [(path: String, words: Int)] {
        tree.documents.filter { $0.path.wholeMatch(of: /docs\/[^\/]+\.md/) != nil }
            .map { ($0.path, $0.text.split(whereSeparator: \.isWhitespace).count) }
    }

    private static func page(_ name: String, words: Int) -> SourceFile {
        SourceFile(path: "docs/\(name).md", text: String(repeating: "word ", count: words))
    }

    static let wording = [
        Checked(
            Rule("a page that is read from start to end has at most 2,000 words", mayMatchNothing: true) { tree in
                let pages = wordCounts(in: tree).filter { !references.contains($0.path) }
                let findings = pages.filter { $0.words > 2_000 }.map { Finding($0.path, 1, "has \($0.words) words") }
                return Examination(examined: pages.count, findings: findings)
            }, .generated { SourceTree(files: [page("long", words: 2_001)]) }),
        Checked(
            Rule("the pages in docs have at most 45,000 words", mayMatchNothing: true) { tree in
                let pages = wordCounts(in: tree)
                let all = pages.reduce(0) { $0 + $1.words }
                return Examination(
                    examined: pages.count, findings: all > 45_000 ? [Finding("docs has \(all) words")] : [])
            }, .generated { SourceTree(files: (0...30).map { page("page\($0)", words: 1_500) }) }),
        Checked(
            Rule("a phrase that is true of some stores only is on the pages about them", mayMatchNothing: true) {
                tree in
                var result = Examination()
                for document in tree.documents {
                    result.examined += 1
                    // A phrase may be broken into two lines.
                    let prose = document.prose
                    for (line, next) in zip(prose, prose.dropFirst().map(\.text) + [""]) {
                        let text = "\(line.text) \(next)".lowercased()
                        for (phrase, pages) in phrases where !pages.contains(document.path) {
                            guard text.contains(phrase), !next.lowercased().contains(phrase) else { continue }
                            result.findings.append(Finding(document.path, line.line, "says '\(phrase)'"))
                        }
                    }
                }
                return result
            }, .folder("phrases")),
    ]
}
