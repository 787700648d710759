/// What is open where a piece of JSON ends, to tell whether the next line can go on with it. What is read need not be JSON.
struct JSONOutline {
    /// The brackets that are open, the innermost last.
    private var open: [UInt8] = []
    private var isInText = false
    /// The last byte that is neither blank nor within a text; the quotation mark at the end of a text is one.
    private var last: UInt8?

    /// Whether something began, and all of it has ended.
    var isWhole: Bool { open.isEmpty && !isInText && last != nil }

    /// Whether an object can begin here.
    var takesObject: Bool {
        switch last {
        case nil, UInt8(ascii: "["), UInt8(ascii: ":"): !isInText
        case UInt8(ascii: ","): !isInText && open.last == UInt8(ascii: "[")
        default: false
        }
    }

    /// Reads a line on.
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
