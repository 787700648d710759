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

    static let wording = [
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
            }, .folder("phrases"))
    ]
}
