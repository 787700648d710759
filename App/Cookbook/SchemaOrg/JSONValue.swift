#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Any JSON.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Decodable {
    /// Tries the forms in the order of their frequency in recipes.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let object = try? container.decode([String: JSONValue].self) {
            self = .object(object)
        } else if let array = try? container.decode([JSONValue].self) {
            self = .array(array)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if container.decodeNil() {
            self = .null
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    /// Reads one JSON text.
    ///
    /// - Throws: `SchemaOrgError` when it is none.
    init(_ bytes: some Sequence<UInt8>) throws(SchemaOrgError) {
        do {
            self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        } catch {
            throw SchemaOrgError("is not JSON")
        }
    }
}

extension JSONValue {
    /// The text that it is, trimmed; also of a number. `nil` for all else and for an empty text.
    var text: String? {
        switch self {
        case .string(let string): string.trimmed
        case .number(let number): Int(exactly: number).map(String.init) ?? String(number)
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

extension String {
    /// The text without blanks at its ends; `nil` when nothing is left.
    var trimmed: String? {
        let rest = drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(rest[...last])
    }
}

/// Why an item is no recipe.
struct SchemaOrgError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
