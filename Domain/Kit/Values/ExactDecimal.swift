/// A decimal number with up to nine digits after the point: 64 bits of units, such as cents.
///
/// A column has the number of digits of its values: `.decimal("price", \.price, scale: 2)`.
///
/// Comparison is exact, also of numbers with different digits: 1.5 equals 1.50. Literals in Swift are integers; a number with
/// a fraction is created from a text, `ExactDecimal("1.50")`, because Swift converts a decimal literal through a `Double`.
/// Arithmetic traps on overflow, as that of `Int` does.
public struct ExactDecimal: Sendable {
    /// The number times 10 to the power of the scale.
    public let units: Int64
    /// The digits after the point, 0 to 9.
    public let scale: Int

    /// The greatest scale.
    public static var maximumScale: Int { 9 }

    /// Creates a number from its units: `ExactDecimal(units: 150, scale: 2)` is 1.50. Traps for a scale beyond 0 to 9.
    public init(units: Int64, scale: Int) {
        precondition((0...Self.maximumScale).contains(scale), "a scale must be from 0 to 9, not \(scale)")
        (self.units, self.scale) = (units, scale)
    }

    /// The same number with other digits after the point; `nil` if it has more digits, or does not fit into 64 bits.
    public func rescaled(to scale: Int) -> ExactDecimal? {
        guard (0...Self.maximumScale).contains(scale) else { return nil }
        if scale < self.scale {
            let (quotient, remainder) = units.quotientAndRemainder(dividingBy: Self.power(self.scale - scale))
            return remainder == 0 ? ExactDecimal(units: quotient, scale: scale) : nil
        }
        let (product, overflows) = units.multipliedReportingOverflow(by: Self.power(scale - self.scale))
        return overflows ? nil : ExactDecimal(units: product, scale: scale)
    }

    /// The greatest number of a scale that is not greater, in units; beyond 64 bits, the nearest limit.
    package func unitsRoundedDown(at scale: Int) -> Int64 {
        if let same = rescaled(to: scale) { return same.units }
        if scale > self.scale { return units < 0 ? .min : .max }
        return units / Self.power(self.scale - scale) - (units < 0 ? 1 : 0)
    }

    static func power(_ exponent: Int) -> Int64 { (0..<exponent).reduce(1) { product, _ in product * 10 } }

    /// Units of the greatest scale. They need 94 bits.
    private var finestUnits: Int128 { Int128(units) * Int128(Self.power(Self.maximumScale - scale)) }
}

extension ExactDecimal: Comparable {
    /// Compares the numbers and not their scales.
    public static func == (lhs: ExactDecimal, rhs: ExactDecimal) -> Bool { lhs.finestUnits == rhs.finestUnits }

    /// Compares the numbers and not their scales.
    public static func < (lhs: ExactDecimal, rhs: ExactDecimal) -> Bool { lhs.finestUnits < rhs.finestUnits }
}

extension ExactDecimal: Hashable {
    /// Numbers that differ only in their scales have the same hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(finestUnits) }
}

extension ExactDecimal: Numeric {
    /// The absolute value; traps for the least number.
    public var magnitude: ExactDecimal { ExactDecimal(units: Swift.abs(units), scale: scale) }

    /// A number without digits after the point.
    public init(integerLiteral value: Int64) { self.init(units: value, scale: 0) }

    /// A number without digits after the point; `nil` beyond 64 bits.
    public init?(exactly source: some BinaryInteger) {
        guard let units = Int64(exactly: source) else { return nil }
        self.init(units: units, scale: 0)
    }

    /// The sum, with the greater scale of both.
    public static func + (lhs: ExactDecimal, rhs: ExactDecimal) -> ExactDecimal {
        let (left, right, scale) = aligned(lhs, rhs)
        return ExactDecimal(units: left + right, scale: scale)
    }

    /// The difference, with the greater scale of both.
    public static func - (lhs: ExactDecimal, rhs: ExactDecimal) -> ExactDecimal {
        let (left, right, scale) = aligned(lhs, rhs)
        return ExactDecimal(units: left - right, scale: scale)
    }

    /// The product, with the sum of the scales, which must be at most 9.
    public static func * (lhs: ExactDecimal, rhs: ExactDecimal) -> ExactDecimal {
        ExactDecimal(units: lhs.units * rhs.units, scale: lhs.scale + rhs.scale)
    }

    /// Replaces the first number by the product.
    public static func *= (lhs: inout ExactDecimal, rhs: ExactDecimal) { lhs = lhs * rhs }

    private static func aligned(_ lhs: ExactDecimal, _ rhs: ExactDecimal) -> (Int64, Int64, scale: Int) {
        let scale = max(lhs.scale, rhs.scale)
        return (lhs.units * power(scale - lhs.scale), rhs.units * power(scale - rhs.scale), scale)
    }
}

extension ExactDecimal: SignedNumeric {}
