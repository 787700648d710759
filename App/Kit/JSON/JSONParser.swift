/// A recursive descent parser of one JSON text, without backtracking.
struct JSONParser {
    let bytes: [UInt8]
    var position = 0
    private var depth = 0
    /// Whether texts may contain unescaped control characters other than U+0000.
    let allowsControlCharacters: Bool
    /// The number of values that may follow.
    private var valuesLeft: Int

    init(_ bytes: [UInt8], atMost count: Int, allowsControlCharacters: Bool = false) {
        (self.bytes, self.allowsControlCharacters, valuesLeft) = (bytes, allowsControlCharacters, count)
    }

    /// The byte at the position; `nil` at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// An error at the position, or at a given offset.
    func error(_ reason: String, at offset: Int? = nil, pointer: String = "") -> JSONError {
        JSONError(reason, at: offset ?? position, in: bytes, pointer: pointer)
    }

    mutating func whole() throws(JSONError) -> JSON {
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw error("a byte order mark is not allowed") }
        skipBlanks()
        guard next != nil else { throw error("the document is empty") }
        let value = try value()
        skipBlanks()
        guard next == nil else { throw error("nothing may follow the value") }
        return value
    }

    /// Parses the value at the position.
    private mutating func value() throws(JSONError) -> JSON {
        guard let next else { throw error("the text ends where a value is expected") }
        guard valuesLeft > 0 else {
            var error = error("there are too many values")
            error.isAboutCount = true
            throw error
        }
        valuesLeft -= 1
        switch next {
        case UInt8(ascii: "\""): return .string(try text())
        case UInt8(ascii: "{"): return try nested(Self.object)
        case UInt8(ascii: "["): return try nested(Self.array)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw error("a value is expected")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let expected = word.description.utf8
        guard bytes[position...].starts(with: expected) else { throw error("a value is expected") }
        position += expected.count
        return value
    }

    private mutating func nested(
        _ read: (inout JSONParser) throws(JSONError) -> JSON
    ) throws(JSONError) -> JSON {
        guard depth < JSON.greatestDepth else {
            throw error("arrays and objects are nested more than \(JSON.greatestDepth) deep")
        }
        depth += 1
        defer { depth -= 1 }
        position += 1
        skipBlanks()
        return try read(&self)
    }

    private static func array(_ parser: inout JSONParser) throws(JSONError) -> JSON {
        var elements: [JSON] = []
        guard !parser.skip(UInt8(ascii: "]")) else { return .array(elements) }
        while true {
            do {
                elements.append(try parser.value())
            } catch {
                throw error.inside(elements.count)
            }
            parser.skipBlanks()
            if parser.skip(UInt8(ascii: "]")) { return .array(elements) }
            guard parser.skip(UInt8(ascii: ",")) else { throw parser.error("a comma or ']' is expected") }
            parser.skipBlanks()
            guard parser.next != UInt8(ascii: "]") else { throw parser.error("a comma must be followed by a value") }
        }
    }

    private static func object(_ parser: inout JSONParser) throws(JSONError) -> JSON {
        var members = UniqueMembers()
        guard !parser.skip(UInt8(ascii: "}")) else { return .object([]) }
        while true {
            let start = parser.position
            guard parser.next == UInt8(ascii: "\"") else { throw parser.error("a name in double quotes is expected") }
            let name = try parser.text()
            guard members.isNew(name) else {
                throw parser.error("duplicate name in this object", at: start).inside(name)
            }
            parser.skipBlanks()
            guard parser.skip(UInt8(ascii: ":")) else { throw parser.error("a colon is expected") }
            parser.skipBlanks()
            do {
                members.append(name, try parser.value())
            } catch {
                throw error.inside(name)
            }
            parser.skipBlanks()
            if parser.skip(UInt8(ascii: "}")) { return .object(members.members) }
            guard parser.skip(UInt8(ascii: ",")) else { throw parser.error("a comma or '}' is expected") }
            parser.skipBlanks()
            guard parser.next != UInt8(ascii: "}") else { throw parser.error("a comma must be followed by a name") }
        }
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Skips a byte if it is the next one.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }
}
