internal import LarderApp
internal import LarderDomain

/// Any JSON.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    /// A number that was written without fraction and exponent, and that 64 bits hold: all its digits are known.
    case integer(Int64)
    /// Any other number, as near as a `Double` comes to it.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    /// Reads one JSON text, as strictly as any that comes from outside.
    ///
    /// - Throws: `SchemaOrgError` when it is none.
    init(_ bytes: some Sequence<UInt8>) throws(SchemaOrgError) {
        do {
            self.init(try JSON(parsing: bytes))
        } catch {
            if error.isAboutText, let pointer = error.pointer {
                throw SchemaOrgError("\(pointer.dropFirst()) \(error.reason)")
            }
            throw SchemaOrgError(error)
        }
    }

    private init(_ json: JSON) {
        self =
            switch json {
            case .null: .null
            case .bool(let bool): .bool(bool)
            case .integer(let integer): .integer(integer)
            case .number(let number): .number(number)
            case .string(let string): .string(string)
            case .array(let elements): .array(elements.map(JSONValue.init))
            case .object(let members):
                .object(
                    Dictionary(members.map { ($0.name, JSONValue($0.value)) }, uniquingKeysWith: { first, _ in first }))
            }
    }
}

extension JSONValue {
    /// The text that it is, trimmed; also of a number. `nil` for all else and for an empty text.
    var text: String? {
        switch self {
        case .string(let string): string.trimmed
        case .integer(let integer): String(integer)
        case .number(let number): Int(exactly: number).map(String.init) ?? String(number)
        default: nil
        }
    }

    /// The number that it is, as near as a `Double` comes to it; `nil` for all else.
    var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// Its elements if it is an array, else itself; nothing for `null`.
    var elements: [JSONValue] {
        switch self {
        case .array(let array): array
        case .null: []
        default: [self]
        }
    }

    subscript(key: String) -> JSONValue? {
        if case .object(let object) = self { object[key] } else { nil }
    }
}

/// Why an item is no recipe.
struct SchemaOrgError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// That bytes are not taken for JSON, and why. The place is that within the item; the item's own line is known elsewhere.
    init(_ error: JSONError) {
        let place = error.line == 1 ? "column \(error.column)" : "line \(error.line), column \(error.column)"
        self.init("cannot be read as JSON: \(error.reason) (\(place))")
    }
}
