extension Rule {
    /// No Swift file has more lines than a limit.
    public static func maximumLines(_ limit: Int) -> Rule {
        Rule("no Swift file has over \(limit) lines") { tree in
            tree.files.filter(\.isSwift).examination(maximum: limit)
        }
    }

    /// One file has at most the given number of lines.
    public static func maximumLines(_ limit: Int, of path: String) -> Rule {
        Rule("\(path) has at most \(limit) lines") { tree in
            tree.files.filter { $0.path == path }.examination(maximum: limit)
        }
    }

    /// Half of the Swift files in some folders have at most the given number of lines.
    public static func medianLines(_ limit: Int, in folders: [String]) -> Rule {
        Rule("the median file of \(folders.joined(separator: ", ")) has at most \(limit) lines") { tree in
            let counts = tree.files(in: folders).filter(\.isSwift).map(\.lineCount).sorted()
            let median = counts.isEmpty ? 0 : counts[counts.count / 2]
            return Examination(
                examined: counts.count, findings: median > limit ? [Finding("the median is \(median) lines")] : [])
        }
    }
}

extension [SourceFile] {
    fileprivate func examination(maximum limit: Int) -> Examination {
        let long = filter { $0.lineCount > limit }
        return Examination(
            examined: count, findings: long.map { Finding($0.path, limit + 1, "has \($0.lineCount) lines") })
    }
}
