internal import CookbookDomain
internal import LarderApp

/// The recipes of a file of schema.org JSON: one object, an array, an object with `@graph`, or JSON Lines. JSON Lines
/// are read line by line, so that a file of any size fits in memory.
struct RecipeSource {
    /// The maximum size of a document other than JSON Lines: 256 MiB.
    private static let maximumDocument = 256 << 20

    private var lines: LineReader
    /// The lines that were read to detect the format.
    private var firstLines: [LineReader.Line]
    private let isJSONLines: Bool
    private var documentItems: ArraySlice<DocumentScanner.Item> = []
    private var documentIsGraph = false
    private var pending: ArraySlice<RecipeItem> = []

    /// Opens a file; `-` means standard input.
    init(path: String) throws(InputError) {
        lines = try LineReader(path: path)
        firstLines = []
        while firstLines.count < 3, let line = try lines.next() {
            if !line.isBlank { firstLines.append(line) }
        }
        isJSONLines = Self.areJSONLines(firstLines)
    }

    /// A document is an array, or an object that continues over several lines. JSON Lines have a whole object on a
    /// line: the first line, or a later one that cannot continue the truncated lines before it.
    private static func areJSONLines(_ lines: [LineReader.Line]) -> Bool {
        func begins(_ line: LineReader.Line, _ character: Unicode.Scalar) -> Bool {
            line.bytes.first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: character)
        }
        guard let first = lines.first, !begins(first, "[") else { return false }
        guard begins(first, "{") else { return true }
        var outline = JSONOutline()
        for line in lines {
            if begins(line, "{"), !outline.takesObject { return true }
            outline.read(line.bytes)
            if line == first, outline.isWhole { return true }
        }
        return false
    }

    /// The fraction of the file that has been read, from 0 to 1; `nil` if its size is unknown.
    var progress: Double? { lines.progress }

    /// The next item; `nil` at the end.
    mutating func next() throws(InputError) -> RecipeItem? {
        while pending.isEmpty {
            if let item = documentItems.popFirst() {
                pending = RecipeItem.items(in: item.bytes, line: item.line, isGraph: documentIsGraph)[...]
            } else if isJSONLines {
                guard let line = try nextLine() else { return nil }
                if !line.isBlank {
                    pending = RecipeItem.items(in: line.bytes[...], line: line.number, isGraph: false)[...]
                }
            } else {
                guard try readDocument() else { return nil }
            }
        }
        return pending.popFirst()
    }

    private mutating func nextLine() throws(InputError) -> LineReader.Line? {
        firstLines.isEmpty ? try lines.next() : firstLines.removeFirst()
    }

    /// Reads the rest of the file; `false` if it is empty.
    private mutating func readDocument() throws(InputError) -> Bool {
        guard let first = try nextLine() else { return false }
        var (bytes, number) = (first.bytes, first.number)
        while let line = try nextLine() {
            // Skipped blank lines count, too.
            bytes += repeatElement(UInt8(ascii: "\n"), count: line.number - number) + line.bytes
            number = line.number
            guard bytes.count <= Self.maximumDocument else {
                throw InputError(path: "the document", reason: "it is greater than 256 MiB; JSON Lines may be")
            }
        }
        do {
            let (items, isGraph) = try DocumentScanner.scan(bytes, firstLine: first.number)
            documentItems = items[...]
            documentIsGraph = isGraph
        } catch {
            pending = [RecipeItem(line: first.number, content: .bad(error))]
        }
        return true
    }
}
