package import LarderData
internal import LarderDomain

/// Common parts of statements.
package enum SQLText {
    /// The maximum number of bound values of a statement; SQLite's default limit is higher.
    static let maximumValues = 32_000

    package static func quoted(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
        return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    package static func quoted(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

    static func placeholders(_ numbers: ClosedRange<Int>) -> String {
        numbers.map { "?\($0)" }.joined(separator: ", ")
    }

    static func type(_ type: ColumnType) -> String { SQLiteDialect().type(SQLKind(type)) }

    /// A constant in a table's definition, where values cannot be bound.
    static func constant(_ value: Value) -> String {
        // The description of every other value is a literal of SQL.
        if case .id(let id) = value { "\(Value.blob(RawID.packed([id])))" } else { "\(value)" }
    }

    /// Whether a condition is true; never unknown.
    static func isTrue(_ condition: String) -> String { "((\(condition)) IS TRUE)" }
}

/// The kinds of comparable values; `nil` represents a bare `null`.
package enum SQLKind: String, Sendable {
    case integer, real, text, blob, id

    init?(_ value: Value) {
        switch value {
        case .null: return nil
        case .integer: self = .integer
        case .real: self = .real
        case .text: self = .text
        case .blob: self = .blob
        case .id: self = .id
        }
    }

    package init(_ type: ColumnType) {
        self =
            switch type {
            case .integer, .boolean, .timestamp: .integer
            case .real: .real
            case .text, .day: .text
            case .blob: .blob
            case .id: .id
            }
    }
}
