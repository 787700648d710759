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

extension UInt64 {
    /// The ASCII digits of the 32 low bits, in lower case, the first one in the most significant byte.
    init(digitsOf bits: UInt64) {
        // One digit in each byte.
        var digits = bits & 0xFFFF_FFFF
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        self = digits + 0x3030_3030_3030_3030 + letters * UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
    }

    /// The 32 bits with these ASCII digits, in any case, the first one in the most significant byte; `nil` for other
    /// bytes.
    var hexadecimalBits: UInt64? {
        let letters = self >> 6 & 0x0101_0101_0101_0101
        // One digit in each byte. Any other byte gives a wrong digit, which the comparison below finds.
        var bits = (self & 0x0F0F_0F0F_0F0F_0F0F) + letters * 9
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits >> 16) & 0xFFFF_FFFF
        return UInt64(digitsOf: bits) == self | letters << 5 ? bits : nil
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
