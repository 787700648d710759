/// The open brackets and texts after some JSON, valid or not, to tell whether the next line can continue it.
struct JSONOutline {
    /// The open brackets, the innermost last.
    private var open: [UInt8] = []
    private var isInText = false
    /// The last byte that is neither blank nor inside a text; the quotation mark that ends a text counts.
    private var last: UInt8?

    /// Whether at least one value has started, and all have ended.
    var isWhole: Bool { open.isEmpty && !isInText && last != nil }

    /// Whether an object can start here.
    var takesObject: Bool {
        switch last {
        case nil, UInt8(ascii: "["), UInt8(ascii: ":"): !isInText
        case UInt8(ascii: ","): !isInText && open.last == UInt8(ascii: "[")
        default: false
        }
    }

    /// Continues with a line.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    mutating func read(_ line: [UInt8]) {
        var isEscaped = false
        for byte in line {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case 0x20, 0x09, 0x0D: continue
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(byte)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            default: break
            }
            last = byte
        }
    }
}
