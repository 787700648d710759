public import LarderDomain

/// `ExactDecimal` or an optional one: a column stores the units of its scale.
///
/// A read decimal has the scale of its column, also if the saved number had fewer digits [column.5]. A comparison with a finer
/// decimal in a query is exact [column.6], as are lists, ranges and counts [column.7]. An operation on decimals of a query
/// whose units overflow has no value, as one on integers [column.8].
public protocol DecimalValue: Hashable, Sendable {
    /// Whether `null` represents a value of the type.
    static var isNullable: Bool { get }
    /// The decimal, if any.
    var exactDecimal: ExactDecimal? { get }
    /// `nil` if a value of the type must be a decimal.
    init?(decimal: ExactDecimal?)
}

extension ExactDecimal: DecimalValue {
    public static var isNullable: Bool { false }
    public var exactDecimal: ExactDecimal? { self }
    public init?(decimal: ExactDecimal?) {
        guard let decimal else { return nil }
        self = decimal
    }
}

extension Optional: DecimalValue where Wrapped == ExactDecimal {
    public static var isNullable: Bool { true }
    public var exactDecimal: ExactDecimal? { self }
    public init?(decimal: ExactDecimal?) { self = decimal }
}

extension DecimalValue {
    /// The units of a scale; rejects a number that it does not represent.
    func columnValue(scale: Int) throws(ValueRefusal) -> Value {
        guard let decimal = exactDecimal else { return .null }
        guard let rescaled = decimal.rescaled(to: scale) else {
            throw ValueRefusal(
                scale < decimal.scale
                    ? "must have at most \(scale) digits after the point, not \(decimal)"
                    : "must fit into 64 bits with \(scale) digits after the point, not \(decimal)")
        }
        return .integer(rescaled.units)
    }

    /// Decodes units of a scale; `nil` for another type, and for `null` if a value of the type must be a decimal.
    init?(columnValue: Value, scale: Int) {
        switch columnValue {
        case .null: self.init(decimal: nil)
        case .integer(let units): self.init(decimal: ExactDecimal(units: units, scale: scale))
        default: return nil
        }
    }
}
