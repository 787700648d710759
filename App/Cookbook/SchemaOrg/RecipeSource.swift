internal import LarderApp

/// The recipes of a file of schema.org JSON. If the first line is an object, the file is JSON Lines, which are read line
/// by line, so that a file of any size fits in memory. Otherwise it is one document: an object, an array, or an object
/// with `@graph`.
struct RecipeSource {
    /// The maximum size of a document: 32 MiB.
    private static let maximumDocument = 32 << 20

    private var lines: LineReader
    /// The first line that is not blank, which determines the format, until ``next()`` takes it.
    private var first: LineReader.Line?
    private let isJSONLines: Bool
    private var pending: ArraySlice<RecipeItem> = []

    /// Opens a file; `-` means standard input.
    init(path: String) throws(InputError) {
        lines = try LineReader(path: path)
        repeat { first = try lines.next() } while first?.isBlank == true
        isJSONLines = if let first, case .object? = try? JSON(schemaOrg: first.bytes) { true } else { false }
    }

    /// The fraction of the file that has been read, from 0 to 1; `nil` if its size is unknown.
    var progress: Double? { lines.progress }

    /// The next item; `nil` at the end.
    mutating func next() throws(InputError) -> RecipeItem? {
        while pending.isEmpty {
            guard let line = try nextLine() else { return nil }
            if !isJSONLines {
                pending = try document(from: line)[...]
            } else if !line.isBlank {
                pending = RecipeItem.items(in: line)[...]
            }
        }
        return pending.popFirst()
    }

    private mutating func nextLine() throws(InputError) -> LineReader.Line? {
        if let line = first.take() { return line }
        return try lines.next()
    }

    /// Reads the file to its end; an error in its syntax is the only item.
    private mutating func document(from first: LineReader.Line) throws(InputError) -> [RecipeItem] {
        // Errors count the lines of the file, so blank lines before the document are part of it.
        var bytes = Array(repeating: UInt8(ascii: "\n"), count: first.number - 1) + first.bytes
        while let line = try lines.next() {
            bytes.append(UInt8(ascii: "\n"))
            bytes += line.bytes
            guard bytes.count <= Self.maximumDocument else {
                throw InputError(path: "the document", reason: "it is larger than 32 MiB; use JSON Lines")
            }
        }
        do {
            return RecipeItem.items(in: try JSON(schemaOrg: bytes))
        } catch {
            return [RecipeItem(position: .line(first.number), content: .bad(error))]
        }
    }
}
