internal import LarderDomain

extension Condition: CustomStringConvertible {
    /// An unambiguous text form, different for different conditions: columns as `#0`, lists as `@0`.
    public var description: String {
        switch self {
        case .always(let value): "\(value)"
        case .compare(let lhs, let comparison, let rhs): "(\(lhs) \(comparison.rawValue) \(rhs))"
        case .isIn(let operand, let values): "(\(operand) in \(values.sorted(by: Value.precedes)))"
        case .contains(let text, let part): "(\(text) contains \(Value.text(part)))"
        case .hasPrefix(let text, let part): "(\(text) begins \(Value.text(part)))"
        case .links(let relationship, let id): "(@\(relationship) links \(id))"
        case .anyChild(let relationship, let condition): "(@\(relationship) any \(condition))"
        case .related(let roots, let condition): "(\(roots) any \(condition))"
        case .and(let parts): "and\(parts)"
        case .or(let parts): "or\(parts)"
        case .not(let inner): "not \(inner)"
        }
    }
}

extension Operand: CustomStringConvertible {
    /// The operand; see ``Condition/description``.
    public var description: String {
        switch self {
        case .literal(let value): "\(value)"
        case .id: "id"
        case .column(let index): "#\(index)"
        case .linkCount(let index): "links@\(index)"
        case .childCount(let index): "children@\(index)"
        case .childSum(let index, let column, let condition): "(@\(index) sum #\(column) \(condition))"
        case .rank(let index, let starts): "(@\(index) rank \(starts.map(Value.text)))"
        case .coalesce(let first, let second): "(\(first) ?? \(second))"
        case .arithmetic(let lhs, let operation, let rhs): "(\(lhs) \(operation.rawValue) \(rhs))"
        }
    }
}

extension Value: CustomStringConvertible {
    /// The value as an SQL literal, which distinguishes the types: `1`, `1.0`, `'text'`, `x'00ff'`.
    public var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .text(let text): "'" + text.replacing("'", with: "''") + "'"
        case .blob(let bytes): "x'" + bytes.hexadecimal + "'"
        case .id(let id): "\(id)"
        }
    }
}
