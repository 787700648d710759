internal import LarderDomain

extension JSONParser {
    /// Parses the quoted text at the position.
    mutating func text() throws(JSONError) -> String {
        position += 1
        let start = position
        // Most texts are ASCII without escapes, whose encoding needs no check.
        var (hasEscapes, isPlain) = (false, true)
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 || allowsControlCharacters && byte != 0 else {
                throw error("control characters in text must be escaped")
            }
            if byte >= 0x80 { isPlain = false }
            if byte == UInt8(ascii: "\\") {
                (hasEscapes, isPlain) = (true, false)
                position += 1
            }
            position += 1
        }
        guard position < bytes.count else { throw error("the text ends inside quotes", at: bytes.count) }
        let end = position
        let text = bytes[start..<end]
        let valid = isPlain ? String(decoding: text, as: UTF8.self) : String(validating: text, as: UTF8.self)
        guard let valid else { throw error("this is not UTF-8", at: firstInvalid(in: start..<end)) }
        let result = hasEscapes ? try unescaped(start..<end) : valid
        guard !result.hasLongCombiningRun else {
            var error = error(TextRefusal.tooManyCombiningMarks.description, at: start - 1)
            error.isAboutText = true
            throw error
        }
        position = end + 1
        return result
    }

    /// The text of a range of valid UTF-8 before an unescaped quote.
    private mutating func unescaped(_ range: Range<Int>) throws(JSONError) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        position = range.lowerBound
        while position < range.upperBound {
            guard skip(UInt8(ascii: "\\")) else {
                result.append(bytes[position])
                position += 1
                continue
            }
            result.append(contentsOf: UTF8.encode(try escaped()) ?? UTF8.encodedReplacementCharacter)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The character of an escape whose backslash has been read.
    private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
        let start = position - 1
        let letter = next
        position += 1
        switch letter {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw error("invalid escape sequence", at: start)
        }
        let unit = try codeUnit(start)
        guard unit != 0 else { throw error("U+0000 is not allowed, even escaped", at: start) }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else {
            throw error("unpaired surrogate", at: start)
        }
        let trail = try codeUnit(position - 2)
        guard UTF16.isTrailSurrogate(trail) else { throw error("unpaired surrogate", at: start) }
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    /// The four hexadecimal digits at the position, of an escape that started at `start`.
    private mutating func codeUnit(_ start: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next?.hexadecimalValue else {
                throw error("four hexadecimal digits must follow", at: start)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    /// The offset of the first invalid byte in a range that is not UTF-8.
    private func firstInvalid(in range: Range<Int>) -> Int {
        var rest = bytes[range].makeIterator()
        var parser = UTF8.ForwardParser()
        var offset = range.lowerBound
        while case .valid(let character) = parser.parseScalar(from: &rest) { offset += character.count }
        return offset
    }
}
