import LarderArchitecture

/// Documents that show a reader the way through the sources.
extension Checked {
    static let maps: [Checked] = [
        Checked(
            Rule("the files of the reading path have at most 2,600 lines together", mayMatchNothing: true) { tree in
                let readme = tree.files.first { $0.path == "README.md" }
                let section = readme?.section("## Reading path") ?? []
                let paths = Set(section.flatMap { SourceFile.quotations(in: $0.text) })
                let files = tree.files.filter { paths.contains($0.path) }
                let lines = files.reduce(0) { $0 + $1.lineCount }
                return Examination(
                    examined: files.count, findings: lines > 2_600 ? [Finding("they have \(lines) lines")] : [])
            },
            .generated {
                let files = (1...10).map { Fixture.file("Domain/Kit/File\($0).swift", lines: 261) }
                let list = files.map { "- `\($0.path)`\n" }.joined()
                return SourceTree(files: files + [SourceFile(path: "README.md", text: "## Reading path\n\n" + list)])
            }),
        Checked(
            Rule("the map of the layers describes each of their folders once", mayMatchNothing: true) { tree in
                guard let map = tree.files.first(where: { $0.path == "docs/layers.md" }) else { return Examination() }
                let folders = Set(tree.files(in: Workspace.layerFolders).filter(\.isSwift).map(\.folder))
                let entries = map.section("## The folders").flatMap { line in
                    SourceFile.quotations(in: line.text).filter { $0.contains("/") }.map { (path: $0, line: line.line) }
                }
                let named = entries.map(\.path)
                let missing = folders.filter { folder in !named.contains(folder) }.sorted()
                let idle = entries.filter { entry in
                    named.count { $0 == entry.path } > 1 || !folders.contains(entry.path)
                }
                return Examination(
                    examined: folders.count,
                    findings: missing.map { Finding(map.path, 1, "lacks \($0)") }
                        + idle.map { Finding(map.path, $0.line, "\($0.path) is named twice, or has no file of Swift") })
            }, .folder("map")),
        Checked(
            Rule("a list of files in the tour names at most 12, and leads from layer to layer", mayMatchNothing: true) {
                tree in
                guard let tour = tree.files.first(where: { $0.path == "docs/tour.md" }) else { return Examination() }
                var lists: [(line: Int, paths: [String])] = []
                for line in tour.section("## The files") {
                    if line.text.hasPrefix("- ") { lists.append((line.line, [])) }
                    if lists.isEmpty { continue }
                    lists[lists.count - 1].paths += SourceFile.quotations(in: line.text).filter { $0.contains("/") }
                }
                let wrong = lists.filter { list in
                    let layers = list.paths.compactMap { path in
                        Self.downwards.firstIndex { path.hasPrefix($0 + "/") && path.hasSuffix(".swift") }
                    }
                    return !(2...12).contains(layers.count) || layers.count < list.paths.count
                        || layers != layers.sorted()
                }
                return Examination(
                    examined: lists.count,
                    findings: wrong.map { Finding(tour.path, $0.line, "has over 12 files, or goes back up") })
            }, .folder("tour")),
    ]

    /// The layers in the order of a call.
    private static let downwards = ["App", "Domain", "Data", "Infrastructure"]
}

extension SourceFile {
    /// The folder of the file.
    fileprivate var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }
}
