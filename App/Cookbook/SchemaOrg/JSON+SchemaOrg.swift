internal import LarderApp
internal import LarderDomain

extension JSON {
    /// Parses one JSON text, as strictly as any external input.
    ///
    /// - Throws: `SchemaOrgError` when it is not valid JSON.
    init(schemaOrg bytes: some Sequence<UInt8>) throws(SchemaOrgError) {
        do {
            self = try JSON(parsing: bytes)
        } catch {
            if error.isAboutText, let pointer = error.pointer {
                throw SchemaOrgError("\(pointer.dropFirst()) \(error.reason)")
            }
            throw SchemaOrgError(error)
        }
    }

    /// The trimmed text of a string or a number; `nil` for an empty text and other values.
    var text: String? {
        switch self {
        case .string(let string): string.trimmed
        case .integer(let integer): String(integer)
        case .number(let number): Int(exactly: number).map(String.init) ?? String(number)
        default: nil
        }
    }

    /// The number, as the nearest `Double`; `nil` for other values.
    var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
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

    init(_ description: String) {
        self.description = description
    }

    /// The error of a JSON text. Its position is relative to the item; the item's line is known to the caller.
    init(_ error: JSONError) {
        let place = error.line == 1 ? "column \(error.column)" : "line \(error.line), column \(error.column)"
        self.init("cannot be read as JSON: \(error.reason) (\(place))")
    }
}
