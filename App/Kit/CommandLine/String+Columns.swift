extension Character {
    /// How many columns of a terminal it takes: 2 for the wide characters of East Asia and for pictures, else 1.
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
    /// How many columns of a terminal it takes.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text, or its beginning with an ellipsis, so that it takes at most so many columns.
    func shortened(to limit: Int) -> String {
        guard columns > limit else { return self }
        var (end, taken) = (startIndex, 0)
        while end < endIndex, taken + self[end].columns < limit {
            taken += self[end].columns
            end = index(after: end)
        }
        return self[..<end] + "…"
    }

    /// The text with escapes for its control characters and line breaks, such as `\n` and `\u{1B}`: a terminal would obey
    /// them rather than show them. A tab is kept.
    func escapingControls() -> String {
        func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control: scalar != "\t"
            case .lineSeparator, .paragraphSeparator: true
            // Marks that turn the direction of what follows, also beyond the text.
            case .format: scalar.properties.isBidiControl
            default: false
            }
        }
        guard unicodeScalars.contains(where: isObeyed) else { return self }
        return unicodeScalars.map { isObeyed($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}
