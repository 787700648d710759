/// Lists in a file, one element per line. An element is inserted in alphabetical order.
enum SourceLists {
    /// Inserts a line into the list that starts at the line with a text.
    ///
    /// - Throws: `Refusal` if there is no such list.
    static func inserting(_ line: String, after start: String, in text: String, _ path: String) throws -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.firstIndex(where: { $0.contains(start) }) else {
            throw Refusal("\(path) has no line '\(start)': the entity has no place in its list")
        }
        let indent = indentation(of: line)
        var place = first + 1
        while place < lines.count, indentation(of: lines[place]) == indent, !lines[place].isEmpty, lines[place] < line {
            place += 1
        }
        lines.insert(line, at: place)
        return lines.joined(separator: "\n")
    }

    /// Removes all lines with a text; `nil` if there is none.
    static func removing(_ line: String, from text: String) -> String? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let place = lines.firstIndex(of: line) else { return nil }
        lines.remove(at: place)
        return lines.joined(separator: "\n")
    }

    private static func indentation(of line: String) -> Int { line.prefix { $0 == " " }.count }
}
