#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ExactDecimal: LosslessStringConvertible {
    /// All digits of the scale: `1.50`, `-0.05`, `12`.
    public var description: String {
        let digits = String(units.magnitude)
        let sign = units < 0 ? "-" : ""
        if scale == 0 { return sign + digits }
        let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
        return sign + padded.dropLast(scale) + "." + padded.suffix(scale)
    }

    /// Parses digits with an optional minus sign and point, as ``description`` has them; the scale is the number of
    /// digits after the point. `nil` for any other text, more than nine digits after the point, or a number beyond 64 bits.
    public init?(_ description: String) {
        let parts = description.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1] : ""
        let isNegative = parts[0].hasPrefix("-")
        let whole = isNegative ? parts[0].dropFirst() : parts[0]
        guard !whole.isEmpty, parts.count == 1 || !fraction.isEmpty, fraction.utf8.count <= Self.maximumScale,
            (whole + fraction).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let units = Int64((isNegative ? "-" : "") + whole + fraction)
        else { return nil }
        self.init(units: units, scale: fraction.utf8.count)
    }
}

extension ExactDecimal: CodableText {}

extension ExactDecimal {
    /// The number as a `Decimal`, which is exact.
    public var decimal: Decimal {
        Decimal(sign: units < 0 ? .minus : .plus, exponent: -scale, significand: Decimal(units.magnitude))
    }

    /// Converts a `Decimal`; `nil` for NaN, more than nine digits after the point, or a number beyond 64 bits.
    public init?(_ decimal: Decimal) {
        // A `Decimal` may have zeros after its last digit.
        let parts = decimal.description.split(separator: ".", maxSplits: 1)
        let zeros = parts.last?.reversed().prefix { $0 == "0" }.count ?? 0
        self.init(parts.count < 2 ? decimal.description : String(decimal.description.dropLast(zeros)))
    }
}
