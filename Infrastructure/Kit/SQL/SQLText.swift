package import LarderData
internal import LarderDomain

/// Common parts of statements.
package enum SQLText {
    package static func quoted(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
        return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    package static func quoted(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

    static func placeholders(_ numbers: ClosedRange<Int>) -> String {
        numbers.map { "?\($0)" }.joined(separator: ", ")
    }

    /// A condition that is always true or false; older versions of SQLite have no `TRUE` and `FALSE`.
    static func constant(_ condition: Bool) -> String { condition ? "(1 = 1)" : "(1 = 0)" }

    /// Whether a condition is true; never unknown.
    static func isTrue(_ condition: String) -> String { "coalesce(\(condition), \(constant(false)))" }
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
