extension Rule {
    static let code: [Rule] = [
        noCode(
            "product code never ends the process", matching: { /\b(?:fatalError|preconditionFailure|abort)(?=\s*\()/ },
            in: Layer.product, fixture: .folder("crashes")),
        noCode(
            "product code forces no try and no cast", matching: { /\b(?:try|as)!/ }, in: Layer.product,
            fixture: .folder("forced")),
        noCode(
            "product code unwraps nothing by force", matching: { /(?!try!|as!)\b\w+!(?!=)|[\)\]\}>]!(?!=)/ },
            in: Layer.product, fixture: .folder("unwraps")),
        forEachFile(
            "Domain knows no coding, except in its values, because a predicate captures only what can be coded",
            in: ["Domain"], fixture: .folder("codable")
        ) { file in
            guard !file.path.hasPrefix("Domain/Kit/Values/") else { return [] }
            return file.lines(ofCodeMatching: /\b(?:Codable|Encodable|Decodable|CodingKeys?)\b/).map {
                ($0, "knows coding")
            }
        },
        forEachFile(
            "every unchecked promise to the compiler has its proof directly above", in: Layer.product,
            fixture: .folder("unchecked")
        ) { file in
            file.lines(ofCodeMatching: /@unchecked\s+Sendable|nonisolated\(unsafe\)/)
                .filter { !file.hasComment(above: $0) }
                .map { ($0, "has no comment directly above") }
        },
        Rule(
            statement: "no file names a place on somebody's machine (an invented Ada may have a home)",
            fixture: .folder("machine-paths")
        ) { tree in
            var findings = Findings(examined: tree.files.count)
            let place = /\/(?:home\/(?!ada\b)|(?:Users|root|work)\/)/
            for file in tree.files where file.text.contains(place) {
                for (index, line) in file.lines.enumerated() where line.contains(place) {
                    findings.violations.append(Violation(file.path, index + 1, "names a path of one machine"))
                }
            }
            return findings
        },
    ]
}

extension SourceFile {
    /// Whether a comment ends on the line before, attributes of the same declaration passed over.
    fileprivate func hasComment(above line: Int) -> Bool {
        var above = lines[..<(line - 1)]
        while let last = above.last?.drop(while: \.isWhitespace) {
            if last.hasPrefix("//") || last.hasSuffix("*/") { return true }
            guard last.hasPrefix("@") else { return false }
            above.removeLast()
        }
        return false
    }
}
