internal import LarderDomain

/// An operand of decimals, in units of its scale.
struct DecimalOperand {
    let units: Operand
    let scale: Int

    /// A captured decimal, or `nil`.
    init(_ decimal: ExactDecimal?) {
        units = .literal(decimal.map { .integer($0.units) } ?? .null)
        scale = decimal?.scale ?? 0
    }

    init(_ units: Operand, scale: Int) {
        (self.units, self.scale) = (units, scale)
    }

    var isCaptured: Bool { if case .literal = units { true } else { false } }

    /// The captured decimal.
    private var decimal: ExactDecimal? {
        if case .literal(.integer(let units)) = units { ExactDecimal(units: units, scale: scale) } else { nil }
    }
}

extension DecimalOperand {
    /// Compares decimals. A captured decimal may have any scale, and is not rounded.
    func compared(
        _ comparison: Comparison, _ other: DecimalOperand
    ) throws(PersistencyError) -> Condition {
        if other.isCaptured { return compared(comparison, captured: other) }
        if isCaptured { return other.compared(comparison.flipped, captured: self) }
        let (left, right) = try aligned(with: other)
        return .compare(left.units, comparison, right.units)
    }

    private func compared(_ comparison: Comparison, captured: DecimalOperand) -> Condition {
        guard let other = captured.decimal else { return .compare(units, comparison, captured.units) }
        if let own = decimal {
            let order: Int64 = own < other ? -1 : own == other ? 0 : 1
            return .compare(.literal(.integer(order)), comparison, .literal(.integer(0)))
        }
        func condition(_ comparison: Comparison, _ limit: Int64) -> Condition {
            .compare(units, comparison, .literal(.integer(limit)))
        }
        if let same = other.rescaled(to: scale) { return condition(comparison, same.units) }
        // It is between two numbers of this scale, or beyond all of them.
        let limit = other.unitsRoundedDown(at: scale)
        let isLeast = other < ExactDecimal(units: .min, scale: scale)
        let (less, greater) = (
            condition(isLeast ? .less : .lessOrEqual, limit), condition(isLeast ? .greaterOrEqual : .greater, limit)
        )
        switch comparison {
        case .equal: return .always(false)
        // Without a value, after overflow, nothing is satisfied.
        case .notEqual: return .any([less, greater, units.isNull])
        case .less, .lessOrEqual: return less
        case .greater, .greaterOrEqual: return greater
        }
    }

    /// Whether it is one of captured decimals.
    func isIn(_ decimals: [ExactDecimal?]) -> Condition {
        if let own = decimal { return .always(decimals.contains(own)) }
        let values = decimals.compactMap { decimal in
            guard let decimal else { return Value.null }
            return decimal.rescaled(to: scale).map { .integer($0.units) }
        }
        return .isIn(units, Set(values))
    }

    /// A sum, difference or product; overflow is that of the integers.
    func combined(_ operation: Arithmetic, _ other: DecimalOperand) throws(PersistencyError) -> DecimalOperand {
        if operation == .multiply {
            guard scale + other.scale <= ExactDecimal.maximumScale else {
                throw .unsupportedQuery(
                    "a product with \(scale + other.scale) digits after the point; the limit is \(ExactDecimal.maximumScale)"
                )
            }
            return DecimalOperand(.arithmetic(units, operation, other.units), scale: scale + other.scale)
        }
        let (left, right) = try aligned(with: other)
        return DecimalOperand(.arithmetic(left.units, operation, right.units), scale: left.scale)
    }

    func coalesced(with other: DecimalOperand) throws(PersistencyError) -> DecimalOperand {
        let (left, right) = try aligned(with: other)
        return DecimalOperand(.coalesce(left.units, right.units), scale: left.scale)
    }

    /// Both operands with one scale, if it is the same, or a captured one can have that of the other.
    private func aligned(with other: DecimalOperand) throws(PersistencyError) -> (DecimalOperand, DecimalOperand) {
        let scale = isCaptured ? other.isCaptured ? max(self.scale, other.scale) : other.scale : self.scale
        guard let left = rescaled(to: scale), let right = other.rescaled(to: scale) else {
            throw .unsupportedQuery(
                "decimals with \(self.scale) and \(other.scale) digits after the point in one calculation or comparison"
            )
        }
        return (left, right)
    }

    /// `nil` if it is not captured and has another scale, or has more digits.
    private func rescaled(to scale: Int) -> DecimalOperand? {
        if scale == self.scale || units == .literal(.null) { return DecimalOperand(units, scale: scale) }
        return decimal?.rescaled(to: scale).map { DecimalOperand($0) }
    }
}

extension Comparison {
    /// The comparison with exchanged operands.
    fileprivate var flipped: Comparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
