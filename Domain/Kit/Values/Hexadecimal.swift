extension UInt8 {
    /// The ASCII digit of a value from 0 to 15, in lower case.
    @inlinable package static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// The value of an ASCII hexadecimal digit in any case; `nil` for any other byte.
    package var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Sequence<UInt8> {
    /// Two lower-case digits for each byte.
    @inlinable package var hexadecimal: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            digits.append(.hexadecimalDigit(byte >> 4))
            digits.append(.hexadecimalDigit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// All digits of the integer in lower case, with leading zeros.
    @inlinable package var hexadecimal: String {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }.hexadecimal
    }
}
