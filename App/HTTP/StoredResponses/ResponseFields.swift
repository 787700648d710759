public import LarderData
public import LarderDomain

/// A few header fields, in order. A column stores them as lines of text.
public struct ResponseFields: Hashable, Sendable {
    /// A header field.
    public struct Field: Hashable, Sendable {
        /// A token of RFC 9110, in its original case.
        public let name: String
        /// Visible ASCII characters and spaces.
        public let value: String
    }

    /// The fields, in order; a name may occur more than once.
    public let list: [Field]

    /// The maximum size of all fields together, in bytes.
    public static let maximumSize = 8192

    /// Makes an empty list.
    public init() {
        list = []
    }

    private init(_ list: [Field]) { self.list = list }

    /// Makes fields from names and values.
    ///
    /// - Throws: `InvalidField` naming `fields` for a name or value that is not ASCII or has control characters, or for
    ///   more than ``maximumSize`` bytes.
    public init(_ fields: [(name: String, value: String)]) throws(InvalidField) {
        for (name, value) in fields {
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }) else {
                throw InvalidField(StoredResponse.self, "fields", "must have names that are tokens")
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
                throw InvalidField(StoredResponse.self, "fields", "must have values of visible ASCII and blanks")
            }
        }
        list = fields.map(Field.init)
        guard text.utf8.count <= Self.maximumSize else {
            throw InvalidField(StoredResponse.self, "fields", "must have at most \(Self.maximumSize) bytes")
        }
    }

    /// The value of the first field with a name. Names are case-insensitive.
    public subscript(name: String) -> String? {
        list.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The fields without those of a name, which is case-insensitive.
    func removing(_ name: String) -> ResponseFields {
        ResponseFields(list.filter { $0.name.lowercased() != name.lowercased() })
    }

    /// One line for each field: name, colon, value.
    private var text: String { list.map { "\($0.name):\($0.value)\n" }.joined() }
}

extension ResponseFields: ColumnValue {
    public static var columnType: ColumnType { .text }

    public func columnValue() -> Value { .text(text) }

    public init?(columnValue: Value) {
        guard case .text(let text) = columnValue else { return nil }
        var fields: [(name: String, value: String)] = []
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            fields.append((String(line[..<colon]), String(line[line.index(after: colon)...])))
        }
        guard let read = try? ResponseFields(fields) else { return nil }
        self = read
    }
}
