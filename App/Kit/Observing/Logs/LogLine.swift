internal import LarderDomain

/// One JSON object on one line, member by member.
struct LogLine {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

    mutating func add(_ name: String, _ value: LogValue) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        add(text: name)
        bytes.append(UInt8(ascii: ":"))
        add(value)
    }

    mutating func end() {
        bytes += [UInt8(ascii: "}"), UInt8(ascii: "\n")]
    }

    private mutating func add(_ value: LogValue) {
        switch value {
        case .text(let text): add(text: text)
        case .literal(let literal): bytes += literal.utf8
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                add(value)
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    /// Also escaped are those control characters that JSON allows and terminals, or readers of lines, act upon: DEL,
    /// U+0080...U+009F, U+2028 and U+2029.
    private mutating func add(text: String) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += "\\\"".utf8
            case "\\": bytes += "\\\\".utf8
            case "\n": bytes += "\\n".utf8
            case "\r": bytes += "\\r".utf8
            case "\t": bytes += "\\t".utf8
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{2029}":
                bytes += "\\u".utf8
                bytes += String(scalar.value + 0x10000, radix: 16).utf8.dropFirst()
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension Timestamp {
    /// RFC 3339 in UTC, always with six digits of the second, so that lines of a log are as long and sort as text.
    var logged: String {
        let fraction = ((microseconds % 1_000_000) + 1_000_000) % 1_000_000
        // Whole seconds are shown without a fraction.
        let seconds = Timestamp(microseconds: microseconds - fraction).description
        return seconds.dropLast() + "." + String(fraction + 1_000_000).dropFirst() + "Z"
    }
}
