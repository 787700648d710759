internal import LarderDomain

extension JSONParser {
    /// Parses the number that starts at the position with a digit or a minus.
    mutating func number() throws(JSONError) -> JSON {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        let whole = position
        try digits("a digit must follow the minus")
        guard bytes[whole] != UInt8(ascii: "0") || position == whole + 1 else {
            throw error("a number must not have a leading zero", at: start)
        }
        var (point, isExact) = (position, true)
        if skip(UInt8(ascii: ".")) {
            point = position
            try digits("a digit must follow the decimal point")
        }
        let scale = position - point
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isExact = false
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits("a digit must follow the exponent's letter")
        }
        if isExact, scale <= ExactDecimal.maximumScale, let units = units(bytes[start..<position]) {
            return scale == 0 ? .integer(units) : .decimal(ExactDecimal(units: units, scale: scale))
        }
        let literal = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Double(literal), number.isFinite else {
            throw error("this number is too large", at: start)
        }
        return .number(number)
    }

    /// The number of the digits of a literal without its point; `nil` beyond 64 bits.
    private func units(_ literal: ArraySlice<UInt8>) -> Int64? {
        let isNegative = literal.first == UInt8(ascii: "-")
        var units: Int64 = 0
        for byte in literal where byte >= UInt8(ascii: "0") {
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (tens, isLarge) = units.multipliedReportingOverflow(by: 10)
            let (sum, isOver) = tens.addingReportingOverflow(isNegative ? -digit : digit)
            if isLarge || isOver { return nil }
            units = sum
        }
        return units
    }

    /// Skips one or more digits.
    private mutating func digits(_ otherwise: String) throws(JSONError) {
        let start = position
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        guard position > start else { throw error(otherwise) }
    }
}
