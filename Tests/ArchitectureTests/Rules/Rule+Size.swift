extension Rule {
    static let size: [Rule] = [
        Rule(
            statement: "no Swift file has over 300 lines",
            fixture: .generated { SourceTree(files: [Fixture.file("Data/Kit/Long.swift", lines: 301)]) }
        ) { tree in
            let files = tree.files.filter(\.isSwift)
            let long = files.filter { $0.lineCount > 300 }
            return Findings(
                examined: files.count, violations: long.map { Violation($0.path, 301, "has \($0.lineCount) lines") })
        },
        Rule(
            statement: "the median file of the product has at most 60 lines",
            fixture: .generated {
                SourceTree(files: (1...3).map { Fixture.file("Data/Kit/File\($0).swift", lines: 30 * $0 + 1) })
            }
        ) { tree in
            let counts = tree.files(in: Layer.product).filter(\.isSwift).map(\.lineCount).sorted()
            let median = counts.isEmpty ? 0 : counts[counts.count / 2]
            return Findings(
                examined: counts.count, violations: median > 60 ? [Violation("the median is \(median) lines")] : [])
        },
        Rule(
            statement: "the kit below App has under 7,510 lines of code, the store of files aside",
            fixture: .generated {
                SourceTree(files: (1...30).map { Fixture.file("Domain/Kit/File\($0).swift", lines: 300) })
            }
        ) { tree in
            let files = tree.files(in: Layer.coreKit).filter { $0.isSwift && !$0.path.hasPrefix(fileStore) }
            return files.findings(under: 7_510)
        },
        Rule(
            statement: "the store of files has under 1,180 lines of code",
            fixture: .generated {
                SourceTree(files: (1...5).map { Fixture.file("\(fileStore)Part\($0).swift", lines: 280) })
            }
        ) { tree in
            tree.files(in: Layer.coreKit).filter { $0.isSwift && $0.path.hasPrefix(fileStore) }.findings(under: 1_180)
        },
        Rule(
            statement: "a store needs no more than 100 lines",
            fixture: .generated { SourceTree(files: [Fixture.file(smallestStore, lines: 101)]) }
        ) { tree in
            let files = tree.files.filter { $0.path == smallestStore }
            let long = files.filter { $0.lineCount > 100 }
            return Findings(
                examined: files.count, violations: long.map { Violation($0.path, 101, "has \($0.lineCount) lines") })
        },
    ]

    private static let smallestStore = "Tests/LarderStoreContractTests/DictionaryStore.swift"
}

private let fileStore = "Infrastructure/Kit/File/"

extension [SourceFile] {
    /// Whether all of them together stay below so many lines of code.
    fileprivate func findings(under limit: Int) -> Findings {
        let lines = reduce(0) { $0 + $1.codeLineCount }
        return Findings(examined: count, violations: lines >= limit ? [Violation("it has \(lines) lines")] : [])
    }
}
