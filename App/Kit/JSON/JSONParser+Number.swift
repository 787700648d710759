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
        var isInteger = true
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            try digits("a digit must follow the decimal point")
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits("a digit must follow the exponent's letter")
        }
        let literal = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int64(literal) { return .integer(integer) }
        guard let number = Double(literal), number.isFinite else {
            throw error("this number is too large", at: start)
        }
        return .number(number)
    }

    /// Skips one or more digits.
    private mutating func digits(_ otherwise: String) throws(JSONError) {
        let start = position
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        guard position > start else { throw error(otherwise) }
    }
}
