extension Sequence<UInt8> {
    /// The UTF-8 text in percent-encoding (RFC 3986).
    ///
    /// - Parameter isPlain: Whether a byte stands for itself.
    package func percentEncoded(_ isPlain: (UInt8) -> Bool) -> String {
        let bytes = flatMap { byte in
            isPlain(byte) ? [byte] : [UInt8(ascii: "%")] + [byte].hexadecimal.uppercased().utf8
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text that percent-encoded bytes stand for; `nil` if they are malformed or not UTF-8.
    ///
    /// - Parameter plusIsBlank: Whether `+` stands for a blank, as in the query of a form.
    package func percentDecoded(plusIsBlank: Bool = false) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(underestimatedCount)
        var rest = makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
