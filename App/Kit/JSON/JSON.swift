/// Any JSON, with the members of objects in their order.
///
/// Equal means the same values in the same order; text compares as `String` does, by canonical equivalence.
public enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number that was written without fraction and exponent, and that 64 bits hold.
    case integer(Int64)
    /// Any other number. One that is not finite has no form in JSON, and is written as `null`.
    case number(Double)
    case string(String)
    case array([JSON])
    /// Names are unique in whatever was parsed; who makes an object keeps them so.
    case object([Member])

    public struct Member: Sendable, Equatable {
        public let name: String
        public let value: JSON

        @inlinable
        public init(_ name: String, _ value: JSON) {
            (self.name, self.value) = (name, value)
        }
    }

    /// The value of a member; `nil` when there is none of that name, and for all but objects. Takes time in proportion
    /// to the number of members.
    public subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}
