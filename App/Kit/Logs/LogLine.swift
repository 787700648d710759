internal import LarderDomain

/// One JSON object on one line, member by member.
struct LogLine {
    private(set) var bytes: [UInt8]

    init() {
        bytes = []
        // Enough for the line of a typical request.
        bytes.reserveCapacity(384)
        bytes.append(UInt8(ascii: "{"))
    }

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

    /// Also escapes the control characters that JSON allows but terminals or line-based readers interpret: DEL,
    /// U+0080...U+009F, U+2028 and U+2029.
    private mutating func add(text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        guard !text.utf8.allSatisfy(\.isPlain) else {
            bytes += text.utf8
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += "\\\"".utf8
            case "\\": bytes += "\\\\".utf8
            case "\n": bytes += "\\n".utf8
            case "\r": bytes += "\\r".utf8
            case "\t": bytes += "\\t".utf8
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{2029}":
                bytes += "\\u".utf8
                bytes += UInt16(truncatingIfNeeded: scalar.value).hexadecimal.utf8
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }
}

extension UInt8 {
    /// Whether it is an ASCII character that needs no escape in JSON.
    fileprivate var isPlain: Bool {
        (0x20..<0x7F).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}
