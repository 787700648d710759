import LarderArchitecture

extension SourceTree {
    /// The README and the documents in `docs`.
    var documents: [SourceFile] {
        files.filter { $0.path == "README.md" || $0.path.hasPrefix("docs/") && $0.path.hasSuffix(".md") }
    }

    /// Whether a file, or a folder with files, exists at a path from the root.
    func hasPath(_ path: String) -> Bool {
        let folder = path.hasSuffix("/") ? path : path + "/"
        return files.contains { $0.path == path || $0.path.hasPrefix(folder) }
    }
}

extension SourceFile {
    /// The fenced blocks of a document.
    var blocks: [MarkdownBlock] {
        let lines = lines
        var blocks: [MarkdownBlock] = []
        var opening: Int?
        var languageAbove: String?
        for (index, line) in lines.enumerated() {
            if let start = opening {
                guard line == "```" else { continue }
                let language = String(lines[start].dropFirst(3).prefix { $0 != " " })
                blocks.append(
                    MarkdownBlock(
                        language: language, lines: Array(lines[(start + 1)..<index]), line: start + 1,
                        lineAbove: start > 0 ? lines[start - 1] : nil, languageAbove: languageAbove))
                languageAbove = language
                opening = nil
            } else if line.hasPrefix("```") {
                opening = index
            } else if !line.allSatisfy(\.isWhitespace) {
                languageAbove = nil
            }
        }
        return blocks
    }

    /// The lines of a document outside its blocks, with their numbers.
    var prose: [(line: Int, text: Substring)] {
        let fenced = blocks.map { $0.line...($0.line + $0.lines.count + 1) }
        return lines.enumerated().map { (line: $0.offset + 1, text: $0.element) }
            .filter { entry in !fenced.contains { $0.contains(entry.line) } }
    }

    /// The code spans of a line.
    static func quotations(in line: Substring) -> [String] {
        line.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    /// The targets of a line's links within the workspace, as paths from its root.
    func links(in line: Substring) -> [String] {
        line.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/).map { match in
            var folders = path.split(separator: "/").dropLast().map(String.init)
            for part in match.1.split(separator: "/") where part != "." {
                if part == "..", !folders.isEmpty { folders.removeLast() } else { folders.append(String(part)) }
            }
            return folders.joined(separator: "/")
        }
    }

    /// The lines of the section under a heading, up to the next heading of its level.
    func section(_ heading: String) -> [(line: Int, text: Substring)] {
        prose.drop { $0.text != heading }.dropFirst().prefix { !$0.text.hasPrefix("## ") }.map(\.self)
    }
}
