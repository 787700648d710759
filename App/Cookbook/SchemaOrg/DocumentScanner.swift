internal import LarderApp

/// Finds the items of a JSON document without parsing them: the elements of a top-level array, the elements of `@graph`
/// of a top-level object, or else the whole document. Only the text around the items is known to be valid JSON.
struct DocumentScanner {
    struct Item: Equatable {
        let line: Int
        let bytes: ArraySlice<UInt8>
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line: Int

    /// Scans a document that starts on a line.
    static func scan(
        _ bytes: [UInt8], firstLine: Int
    ) throws(SchemaOrgError) -> (items: [Item], isGraph: Bool) {
        var scanner = DocumentScanner(bytes: bytes, line: firstLine)
        return try scanner.items()
    }

    private init(bytes: [UInt8], line: Int) {
        (self.bytes, self.line) = (bytes, line)
    }

    private mutating func items() throws(SchemaOrgError) -> (items: [Item], isGraph: Bool) {
        skipBlanks()
        if current == UInt8(ascii: "[") {
            let found = try elements()
            skipBlanks()
            guard current == nil else { throw unexpected("something follows the list") }
            return (found, false)
        }
        let start = self
        if current == UInt8(ascii: "{"), try skipToGraph() {
            let graph = position
            let found = try elements()
            try checkObject(around: graph..<position)
            return (found, true)
        }
        self = start
        return ([Item(line: line, bytes: bytes[position...])], false)
    }

    /// Moves to the array of `@graph` in the object that starts here, if there is one.
    private mutating func skipToGraph() throws(SchemaOrgError) -> Bool {
        position += 1
        skipBlanks()
        while current == UInt8(ascii: "\"") {
            let key = try value()
            skipBlanks()
            guard current == UInt8(ascii: ":") else { return false }
            position += 1
            skipBlanks()
            if key.bytes.elementsEqual("\"@graph\"".utf8), current == UInt8(ascii: "[") { return true }
            _ = try value()
            skipBlanks()
            guard current == UInt8(ascii: ",") else { return false }
            position += 1
            skipBlanks()
        }
        return false
    }

    /// Checks that the text around the items is valid JSON, to the end of the document.
    private func checkObject(around graph: Range<Int>) throws(SchemaOrgError) {
        do throws(JSONError) {
            _ = try JSON(parsing: bytes[..<graph.lowerBound] + "[]".utf8 + bytes[graph.upperBound...])
        } catch {
            throw SchemaOrgError("cannot be read as JSON: \(error.reason), around its @graph")
        }
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The elements of the array that starts here.
    private mutating func elements() throws(SchemaOrgError) -> [Item] {
        var found: [Item] = []
        position += 1
        while true {
            skipBlanks()
            if found.isEmpty, current == UInt8(ascii: "]") {
                position += 1
                return []
            }
            found.append(try value())
            skipBlanks()
            switch current {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "]"):
                position += 1
                return found
            default: throw unexpected("a list must go on with a comma or end with ]")
            }
        }
    }

    /// The value that starts here, up to its closing bracket or quotation mark.
    private mutating func value() throws(SchemaOrgError) -> Item {
        let (start, startLine) = (position, line)
        var depth = 0
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
                // Inside an object or array only a closing bracket ends the value.
                if depth == 0 { return Item(line: startLine, bytes: bytes[start..<position]) }
                if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
                position += 1
            default: skipOther()
            }
            if depth == 0, let last = bytes[start..<position].last, Self.closes(last) {
                return Item(line: startLine, bytes: bytes[start..<position])
            }
        }
        guard depth == 0, start < position else { throw unexpected("the document ends within an item") }
        return Item(line: startLine, bytes: bytes[start..<position])
    }

    private static func closes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "\"")
    }

    private mutating func skipString() throws(SchemaOrgError) {
        position += 1
        while let byte = current {
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
        throw unexpected("the document ends within a text")
    }

    private mutating func skipOther() {
        if current == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    private mutating func skipBlanks() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { skipOther() }
    }

    private func unexpected(_ reason: String) -> SchemaOrgError {
        SchemaOrgError("cannot be read as JSON: \(reason) (line \(line))")
    }
}
