public import LarderDomain

/// A JSON value, with the members of objects in order.
///
/// Equality compares values and their order; text compares as `String` does, by canonical equivalence.
public enum JSON: Sendable, Equatable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// A number with one to nine digits after the point and without exponent, whose units fit 64 bits. It is exact: no
    /// binary fraction comes between the text and the value.
    case decimal(ExactDecimal)
    /// Any other number. A number that is not finite is written as `null`.
    case number(Double)
    /// A text, without escapes.
    case string(String)
    /// A list of values.
    case array([JSON])
    /// Names are unique in parsed objects; code that creates an object must keep them unique.
    case object([Member])

    /// A named value of an object.
    public struct Member: Sendable, Equatable {
        /// The name, without escapes.
        public let name: String
        /// The value.
        public let value: JSON

        /// Creates a member.
        @inlinable
        public init(_ name: String, _ value: JSON) {
            (self.name, self.value) = (name, value)
        }
    }

    /// A number as the nearest `Double`; `nil` for other values.
    public var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .decimal(let decimal): Double(decimal.description)
        case .number(let number): number
        default: nil
        }
    }

    /// The value of a member; `nil` if there is none of that name, or if this is not an object. Takes time proportional
    /// to the number of members.
    public subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}
