internal import LarderApp
internal import LarderDomain

extension JSON {
    /// Parses one JSON text, as strictly as any external input, except for control characters in texts: many pages
    /// contain them.
    ///
    /// - Parameter count: The maximum number of values.
    /// - Throws: `SchemaOrgError` when it is not valid JSON; it names the format of HTML and of UTF-16.
    init(schemaOrg bytes: some Sequence<UInt8>, atMost count: Int = .max) throws(SchemaOrgError) {
        let bytes = Array(bytes)
        do {
            self = try JSON(parsing: bytes, atMost: count, allowsControlCharacters: true)
        } catch {
            if let format = Self.foreignFormat(of: bytes) { throw SchemaOrgError(format) }
            if error.isAboutText, let pointer = error.pointer {
                throw SchemaOrgError("\(pointer.dropFirst()) \(error.reason)")
            }
            throw SchemaOrgError(error)
        }
    }

    /// The reason why a text in another format or encoding cannot be read; `nil` for any other text.
    private static func foreignFormat(of bytes: [UInt8]) -> String? {
        let start = bytes.prefix(4)
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
            || start.count == 4 && start.count(where: { $0 == 0 }) == 2
        {
            return "is UTF-16, not UTF-8; convert it first"
        }
        let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        guard first == UInt8(ascii: "<") else { return nil }
        return "is HTML or XML, not JSON; save what its script of type application/ld+json contains"
    }

    /// The trimmed text of a string or a number; `nil` for an empty text and other values.
    var text: String? {
        switch self {
        case .string(let string): string.trimmed
        case .integer(let integer): String(integer)
        default: double.map { number in Int(exactly: number).map(String.init) ?? String(number) }
        }
    }

    /// The elements of an array, otherwise the value itself; empty for `null`.
    var elements: [JSON] {
        switch self {
        case .array(let array): array
        case .null: []
        default: [self]
        }
    }

    /// The names of an object's members that are not `null`, sorted.
    var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.filter { $0.value != .null }.map(\.name).sorted()
    }
}

/// The reason why an item is not a valid recipe.
struct SchemaOrgError: Error, Equatable, CustomStringConvertible {
    let description: String
    /// Whether the text has too many values.
    let isAboutCount: Bool

    init(_ description: String, isAboutCount: Bool = false) {
        (self.description, self.isAboutCount) = (description, isAboutCount)
    }

    /// The error of a JSON text. Its position is relative to the item; the item's line is known to the caller.
    init(_ error: JSONError) {
        let place = error.line == 1 ? "column \(error.column)" : "line \(error.line), column \(error.column)"
        self.init("cannot be read as JSON: \(error.reason) (\(place))", isAboutCount: error.isAboutCount)
    }
}
