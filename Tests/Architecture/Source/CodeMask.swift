/// Replaces comments and the text of string literals in Swift source with blanks, so that rules see only code.
///
/// Line numbers do not change, and code inside an interpolation remains.
struct CodeMask {
    private enum Context {
        case code(openParentheses: Int)
        case string(hashes: Int, isMultiline: Bool)
    }

    private let source: [UInt8]
    private let keepsText: Bool
    private var output: [UInt8] = []
    private var position = 0
    private var contexts: [Context] = [.code(openParentheses: 0)]

    /// The code of a source text, with or without the text of its string literals and of raw identifiers.
    static func code(of text: String, keepsText: Bool = false) -> String {
        var mask = CodeMask(text, keepsText)
        mask.run()
        return String(decoding: mask.output, as: UTF8.self)
    }

    private init(_ text: String, _ keepsText: Bool) {
        source = Array(text.utf8)
        self.keepsText = keepsText
        output.reserveCapacity(source.count)
    }

    private mutating func run() {
        while position < source.count {
            switch contexts[contexts.count - 1] {
            case .code(let openParentheses): code(openParentheses)
            case .string(let hashes, let isMultiline): string(hashes, isMultiline)
            }
        }
    }

    private mutating func code(_ openParentheses: Int) {
        copyPlainCode()
        guard position < source.count else { return }
        if stands("//") {
            while position < source.count, source[position] != UInt8(ascii: "\n") { blank(1) }
        } else if stands("/*") {
            blockComment()
        } else if stands("`") {
            blank(1)
            let name = source[position...].prefix { $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "\n") }
            // A raw identifier with spaces is text; a keyword used as a name remains.
            if name.contains(UInt8(ascii: " ")) { pass(name.count + 1) }
        } else if let hashes = hashesBeforeQuote() {
            blank(hashes)
            let isMultiline = stands("\"\"\"")
            blank(isMultiline ? 3 : 1)
            contexts.append(.string(hashes: hashes, isMultiline: isMultiline))
        } else {
            let isInterpolated = contexts.count > 1
            if stands(")"), isInterpolated, openParentheses == 0 {
                contexts.removeLast()
                blank(1)
                return
            }
            if stands("(") { contexts[contexts.count - 1] = .code(openParentheses: openParentheses + 1) }
            if stands(")") { contexts[contexts.count - 1] = .code(openParentheses: openParentheses - 1) }
            output.append(source[position])
            position += 1
        }
    }

    /// A fast path: most characters start or end nothing.
    private mutating func copyPlainCode() {
        while position < source.count {
            let byte = source[position]
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "`"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "("),
                UInt8(ascii: ")"):
                return
            default:
                output.append(byte)
                position += 1
            }
        }
    }

    private mutating func string(_ hashes: Int, _ isMultiline: Bool) {
        let fence = String(repeating: "#", count: hashes)
        if stands("\\" + fence + "(") {
            blank(hashes + 2)
            contexts.append(.code(openParentheses: 0))
        } else if stands("\\" + fence) {
            blank(hashes + 2)
        } else if stands((isMultiline ? "\"\"\"" : "\"") + fence) {
            blank((isMultiline ? 3 : 1) + hashes)
            contexts.removeLast()
        } else {
            // A literal on one line ends with it, even if its start was misdetected (a quote in a regex literal).
            if !isMultiline, source[position] == UInt8(ascii: "\n") { contexts.removeLast() }
            pass(1)
        }
    }

    private mutating func blockComment() {
        var depth = 0
        repeat {
            if stands("/*") {
                depth += 1
                blank(2)
            } else if stands("*/") {
                depth -= 1
                blank(2)
            } else {
                blank(1)
            }
        } while depth > 0 && position < source.count
    }

    /// The number of `#` before a quote; `nil` if no string literal starts here.
    private func hashesBeforeQuote() -> Int? {
        var end = position
        while end < source.count, source[end] == UInt8(ascii: "#") { end += 1 }
        return end < source.count && source[end] == UInt8(ascii: "\"") ? end - position : nil
    }

    private func stands(_ text: String) -> Bool {
        guard source[position] == text.utf8.first else { return false }
        return source[position...].starts(with: text.utf8)
    }

    /// Skips text, which is blanked unless it is kept.
    private mutating func pass(_ count: Int) {
        guard keepsText else { return blank(count) }
        let text = source[position...].prefix(count)
        output += text
        position += text.count
    }

    private mutating func blank(_ count: Int) {
        for byte in source[position...].prefix(count) {
            output.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
        }
        position = min(position + count, source.count)
    }
}
