internal import LarderDomain

/// A text of a web page as plain text: without tags, with the characters of its references (`&amp;`, `&#8211;`), and
/// without control characters other than line breaks and tabs.
///
/// References are resolved twice, because many sites escape their texts twice; a third level remains. A tag ends at the
/// first `>`, also within a quoted attribute. Unknown elements and references remain as they are written.
///
/// - Complexity: O(*n*).
struct HTMLText {
    private(set) var text: String
    /// The names of removed elements whose content is not text: `a`, `img`. Links and images are lost.
    private(set) var lost: Set<String> = []
    /// Whether tags were removed. Their lines are trimmed and not blank.
    private(set) var hadMarkup = false

    init(_ source: String) {
        text = source
        guard source.utf8.contains(where: Self.isSpecial) else { return }
        var bytes = Array(source.utf8)
        for _ in 0..<2 {
            bytes = withoutTags(bytes)
            guard let resolved = HTMLReferences.resolved(bytes) else { break }
            bytes = resolved
        }
        bytes = Self.withoutControls(withoutTags(bytes))
        let plain = String(decoding: bytes, as: UTF8.self)
        // Such a text takes quadratic time to compare, and only references can produce it from a parsed one.
        guard !plain.hasLongCombiningRun else { return }
        text = hadMarkup ? Self.tidy(plain) : plain
    }

    /// The text on one line: line breaks and tabs with the adjacent spaces are one space.
    var line: String {
        guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) else { return text }
        return text.split { $0.isNewline || $0 == "\t" }.compactMap { String($0).trimmed }.joined(separator: " ")
    }

    private mutating func withoutTags(_ bytes: [UInt8]) -> [UInt8] {
        var tags = HTMLTags(bytes)
        let rest = tags.removed()
        lost.formUnion(tags.lost)
        hadMarkup = hadMarkup || tags.hasFound
        return rest
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || isControl(byte)
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x0A && byte != 0x0D && byte != 0x09 || byte == 0x7F
    }

    private static func withoutControls(_ bytes: [UInt8]) -> [UInt8] { bytes.map { isControl($0) ? 0x20 : $0 } }

    /// Lines without repeated spaces, and without blank lines.
    private static func tidy(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.split { $0 == " " || $0 == "\t" || $0 == "\u{A0}" }.joined(separator: " ")
        }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
