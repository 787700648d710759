internal import LarderData

/// Where databases that speak SQL differ: everything else about a statement is the same for all of them.
protocol SQLDialect: Sendable {
    /// The place of the n-th bound value, from 1; a number may stand in a statement more than once.
    func placeholder(_ number: Int) -> String
    /// The type of a column.
    func type(_ type: ColumnType) -> String
    /// A constant in a table's definition, where nothing can be bound.
    func constant(_ value: Value) -> String
    /// What follows a table's definition. Rows with blobs are large, and do not belong into the tree of a key.
    func tableOptions(hasBlobs: Bool) -> String
    /// Whether two values are the same, `null` included; never unknown.
    func same(_ lhs: String, _ rhs: String) -> String
    /// Whether a condition is true; never unknown.
    func isTrue(_ condition: String) -> String
    /// Whether a text contains another, byte for byte.
    func contains(_ text: String, _ part: String) -> String
    /// The result of an operation on two numbers of one kind, in a form that ``hasAnswer(_:_:)`` can judge; the
    /// statement must not fail when there is none.
    func arithmetic(_ lhs: String, _ operation: Arithmetic, _ rhs: String, _ kind: SQLKind) -> String
    /// Whether a number from ``arithmetic(_:_:_:_:)``, nested or not, is an answer; never unknown.
    func hasAnswer(_ number: String, _ kind: SQLKind) -> String
    /// A term of an order in which `null` is the smallest.
    func orderTerm(_ operand: String, isDescending: Bool) -> String
    /// The ids in a blob of 16 bytes for each.
    func unpackedIDs(_ placeholder: String) -> SQLUnpacked
    /// A statement whose rows are the values of a list that is too long to bind each, and the one value to bind for
    /// it; `nil` where values of the kind do not survive that.
    func list(_ values: [Value], _ kind: SQLKind, placeholder: String) -> (selection: String, value: Value)?
    /// How many values a statement may have at least.
    var maximumValues: Int { get }
}

/// A list that was bound as one value, as rows of a table: two pieces of a statement, and two expressions over them.
struct SQLUnpacked {
    /// Goes before `SELECT`.
    let with: String
    /// Goes after `FROM`.
    let source: String
    /// A value's place in the list, from 0.
    let number: String
    /// The value.
    let value: String
}

extension SQLDialect {
    /// A name as it stands in a statement.
    func quoted(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
        return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    func quoted(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

    /// Placeholders from the first to the last number.
    func placeholders(_ numbers: ClosedRange<Int>) -> String { numbers.map(placeholder).joined(separator: ", ") }
}

/// The kinds of values that databases compare; `nil` stands for a bare `null`.
enum SQLKind: String {
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

    init(_ type: ColumnType) {
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
