internal import LarderDomain
private import Synchronization

/// One JSON object on one line, member by member.
struct LogLine {
    private(set) var bytes: [UInt8]

    init() {
        bytes = []
        // A request's line, as most are.
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

    /// Also escaped are those control characters that JSON allows and terminals, or readers of lines, act upon: DEL,
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
                bytes += String(scalar.value + 0x10000, radix: 16).utf8.dropFirst()
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }
}

extension UInt8 {
    /// Whether it is a character of ASCII that stands for itself in JSON.
    fileprivate var isPlain: Bool {
        (0x20..<0x7F).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}

extension Timestamp {
    /// RFC 3339 in UTC, always with six digits of the second, so that lines of a log are as long and sort as text.
    var logged: String {
        let fraction = ((microseconds % 1_000_000) + 1_000_000) % 1_000_000
        let second = microseconds - fraction
        let start = Self.lastSecond.withLock { last in
            if last.microseconds != second {
                // Whole seconds are shown without a fraction.
                last = (second, String(Timestamp(microseconds: second).description.dropLast()))
            }
            return last.text
        }
        return start + "." + String(fraction + 1_000_000).dropFirst() + "Z"
    }

    /// Most lines of a busy service fall into the second of the line before.
    private static let lastSecond = Mutex((microseconds: Int64.min, text: ""))
}
