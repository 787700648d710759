extension Character {
    /// The number of terminal columns: 2 for the wide characters of East Asia and for pictures, otherwise 1.
    fileprivate var columns: Int {
        guard let scalar = unicodeScalars.first, scalar.value >= 0x1100 else { return 1 }
        if scalar.properties.isEmojiPresentation { return 2 }
        return Self.wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Hangul, the ideographs with their punctuation and kana, and full-width forms.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
}

extension String {
    /// The number of terminal columns.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text, or a prefix of it with an ellipsis, in at most this many columns.
    func shortened(to limit: Int) -> String {
        guard columns > limit else { return self }
        var (end, taken) = (startIndex, 0)
        while end < endIndex, taken + self[end].columns < limit {
            taken += self[end].columns
            end = index(after: end)
        }
        return self[..<end] + "…"
    }

    /// The text with escapes for its control characters and line breaks, such as `\n` and `\u{1B}`: a terminal would
    /// obey them instead of showing them. Tabs are kept.
    func escapingControls() -> String {
        func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control: scalar != "\t"
            case .lineSeparator, .paragraphSeparator: true
            // Marks that change the direction of the following text, also beyond the end of this text.
            case .format: scalar.properties.isBidiControl
            default: false
            }
        }
        guard unicodeScalars.contains(where: isObeyed) else { return self }
        return unicodeScalars.map { isObeyed($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}
