/// What a part of a predicate means over a schema.
indirect enum Lowered {
    /// The entity itself, or an object that it owns.
    case object(KeyPathTable)
    case operand(Operand)
    case links(Int)
    /// A list of owned objects, with the members of these.
    case children(Int, KeyPathTable)
    /// A truth that may be unknown: `isTrue` is false where `isNil` holds.
    case truth(isTrue: Condition, isNil: Condition)
    case collection([Value])
    /// A range; its bounds are operands.
    case range(lower: Operand?, upper: Operand?, includesUpper: Bool)
}

extension Lowered {
    /// A truth that is always known.
    static func truth(_ condition: Condition) -> Lowered { .truth(isTrue: condition, isNil: .always(false)) }

    /// The truth that it is, or `nil` if it is none; a boolean value is one.
    var asTruth: (isTrue: Condition, isNil: Condition)? {
        switch self {
        case .truth(let isTrue, let isNil): (isTrue, isNil)
        case .operand(.literal(.null)): (.always(false), .always(true))
        case .operand(.literal(.integer(let value))): (.always(value != 0), .always(false))
        case .operand(let operand): (.compare(operand, .equal, .literal(.integer(1))), operand.isNull)
        default: nil
        }
    }

    /// The text that it is, if the predicate brought it.
    var asText: String? {
        if case .operand(.literal(.text(let text))) = self { text } else { nil }
    }
}

extension Operand {
    var isNull: Condition {
        switch self {
        case .literal(let value): .always(value == .null)
        case .id, .linkCount, .childCount: .always(false)
        default: .compare(self, .equal, .literal(.null))
        }
    }
}
