extension Rule {
    /// No call of `fatalError`, `preconditionFailure` or `abort`.
    public static func noCrashes(in folders: [String]) -> Rule {
        noCode(
            "product code never ends the process", matching: { /\b(?:fatalError|preconditionFailure|abort)(?=\s*\()/ },
            in: folders)
    }

    /// No `try!` and no `as!`.
    public static func noForcedTries(in folders: [String]) -> Rule {
        noCode("product code forces no try and no cast", matching: { /\b(?:try|as)\x21/ }, in: folders)
    }

    /// No `value!`, and no implicitly unwrapped optional.
    public static func noForcedUnwraps(in folders: [String]) -> Rule {
        noCode(
            "product code unwraps nothing by force",
            matching: { /(?!try\x21|as\x21)\b\w+\x21(?!=)|[\)\]\}>]\x21(?!=)/ },
            in: folders)
    }

    /// No `Codable` or similar conformance, except in some folders: entities are independent of their serialization.
    public static func noCoding(in folders: [String], except exempt: [String] = []) -> Rule {
        let exceptions = exempt.isEmpty ? "" : ", except in \(exempt.joined(separator: ", "))"
        return forEachFile("\(folders.joined(separator: ", ")) knows no coding" + exceptions, in: folders) { file in
            guard !exempt.contains(where: { file.path.hasPrefix($0 + "/") }) else { return [] }
            return file.lines(ofCodeMatching: /\b(?:Codable|Encodable|Decodable|CodingKeys?)\b/).map {
                ($0, "knows coding")
            }
        }
    }

    /// Each `@unchecked Sendable` and `nonisolated(unsafe)` has a comment directly above it.
    public static func everyUncheckedPromiseHasAProof(in folders: [String]) -> Rule {
        forEachFile("every unchecked promise to the compiler has its proof directly above", in: folders) { file in
            file.lines(ofCodeMatching: /@unchecked\s+Sendable|nonisolated\(unsafe\)/)
                .filter { !file.hasComment(above: $0) }
                .map { ($0, "has no comment directly above") }
        }
    }

    /// No identifier and no string literal contains one of some words, in any case. Comments may contain them.
    ///
    /// It keeps a library free of its users' domains and of the product's name.
    public static func noWords(_ words: [String], in folders: [String]) -> Rule {
        forEachFile("no code in \(folders.joined(separator: ", ")) names \(words.joined(separator: ", "))", in: folders)
        {
            file in
            file.lines(naming: words).map { ($0.line, "names '\($0.word)'") }
        }
    }
}

extension SourceFile {
    /// Whether a comment ends on the preceding line, not counting attributes of the same declaration.
    fileprivate func hasComment(above line: Int) -> Bool {
        var above = lines[..<(line - 1)]
        while let last = above.last?.drop(while: \.isWhitespace) {
            if last.hasPrefix("//") || last.hasSuffix("*/") { return true }
            guard last.hasPrefix("@") else { return false }
            above.removeLast()
        }
        return false
    }

    /// The line numbers of identifiers and string literals that contain one of some words.
    fileprivate func lines(naming words: [String]) -> [(line: Int, word: String)] {
        let words = words.map { $0.lowercased() }
        // Most files contain no such word, and comparing their characters takes seconds.
        guard words.contains(where: { contains(anyCase: $0) }) else { return [] }
        let lines = CodeMask.code(of: text, keepsText: true).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { offset, line in
            let line = line.lowercased()
            return words.filter { line.contains($0) }.map { (offset + 1, $0) }
        }
    }
}
