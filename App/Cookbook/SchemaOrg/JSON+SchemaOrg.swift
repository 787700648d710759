internal import LarderApp
internal import LarderDomain

extension JSON {
    /// Reads one JSON text, as strictly as any that comes from outside.
    ///
    /// - Throws: `SchemaOrgError` when it is none.
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
