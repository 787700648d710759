internal import LarderDomain

/// The lowered form of a part of a predicate, over a schema.
indirect enum Lowered {
    /// The entity or an object that it owns.
    case object(KeyPathTable)
    /// An optional value object, with the column that is null where it is absent.
    case value(presence: Operand, KeyPathTable)
    case operand(Operand)
    case decimal(DecimalOperand)
    case links(Int)
    /// A list of owned objects, with their members.
    case children(Int, KeyPathTable)
    /// An optional Boolean: `isTrue` is false where `isNil` is true.
    case truth(isTrue: Condition, isNil: Condition)
    case collection([Value])
    case decimals([ExactDecimal?])
    /// A range with operands or decimals as bounds.
    case range(lower: Lowered?, upper: Lowered?, includesUpper: Bool)
}

extension Lowered {
    /// A Boolean that is never `nil`.
    static func truth(_ condition: Condition) -> Lowered { .truth(isTrue: condition, isNil: .always(false)) }

    /// The Boolean condition, or `nil` if the part is not Boolean. An operand is compared with 1.
    var asTruth: (isTrue: Condition, isNil: Condition)? {
        switch self {
        case .truth(let isTrue, let isNil): (isTrue, isNil)
        case .operand(.literal(.null)): (.always(false), .always(true))
        case .operand(.literal(.integer(let value))): (.always(value != 0), .always(false))
        case .operand(let operand): (.compare(operand, .equal, .literal(.integer(1))), operand.isNull)
        default: nil
        }
    }

    /// The operand, of decimals as well.
    var asOperand: Operand? {
        switch self {
        case .operand(let operand): operand
        case .decimal(let decimal): decimal.units
        default: nil
        }
    }

    /// Whether the part is a member, whose value is `nil` where an optional value object around it is absent.
    var isMember: Bool {
        if case .column = asOperand { return true }
        if case .value = self { return true }
        return false
    }

    /// The text, if the part is a captured text.
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
