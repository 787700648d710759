/// The imports of a Swift file, which are sorted by module.
enum Imports {
    static func sorted(in text: String) -> String {
        var result: [Substring] = []
        var imports: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if module(in: line) != nil {
                imports.append(line)
            } else {
                result += imports.sorted { module(in: $0) ?? "" < module(in: $1) ?? "" } + [line]
                imports = []
            }
        }
        return (result + imports).joined(separator: "\n")
    }

    private static func module(in line: Substring) -> Substring? {
        let words = line.split(separator: " ")
        guard line.first.map(\.isLetter) ?? false, words.contains("import"), words.count <= 3 else { return nil }
        return words.last
    }
}
